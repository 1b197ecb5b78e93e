// A listener that is added with once() gets one message; the next one goes to the listeners that are left.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port2.once('message', (message) => log(`once ${message}`))
port2.on('message', (message) => {
  log(`on ${message}`)
  if (message === 'b') port2.close()
})
port1.postMessage('a')
port1.postMessage('b')
