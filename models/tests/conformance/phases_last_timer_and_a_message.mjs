// What the last timer posts is received only if it fires in the first timers phase.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port2.on('message', (message) => log(message))
port2.unref()
setTimeout(() => {
  port1.postMessage('message')
  log('timer')
}, 1)
