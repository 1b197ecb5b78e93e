// A message posted by the main module is polled in the first iteration or in a later one.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port2.on('message', (message) => {
  log(message)
  port2.close()
})
port1.postMessage('message')
setImmediate(() => log('immediate'))
