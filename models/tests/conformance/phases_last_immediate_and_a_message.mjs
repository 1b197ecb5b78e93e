// Nothing polls after the last callback: a message for a port without a reference is never received.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port2.on('message', () => log('never'))
port2.unref()
setImmediate(() => {
  port1.postMessage('message')
  log('immediate')
})
