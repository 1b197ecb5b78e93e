// close() inside a handler: messages that are already being delivered still come.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port2.on('message', (message) => {
  log(message)
  if (message === 'a') port2.close()
})
port2.on('close', () => log('close 2'))
setImmediate(() => {
  port1.postMessage('a')
  port1.postMessage('b')
})
