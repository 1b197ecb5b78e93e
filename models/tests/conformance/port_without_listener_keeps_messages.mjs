// The last listener that is removed stops the port: what comes then waits for the next one.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port1.once('message', (message) => log(`once ${message}`))
port2.postMessage('a')
setTimeout(() => {
  port2.postMessage('b')
  setTimeout(() => {
    port1.on('message', (message) => {
      log(`on ${message}`)
      port1.close()
    })
  }, 10)
}, 10)
