// Posting to a closed port does nothing, from either end.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port2.on('message', () => log('never'))
port2.on('close', () => {
  log('close')
  port1.postMessage('to the dead')
  port2.postMessage('from the dead')
  log('no error')
})
setImmediate(() => {
  port1.close()
  port1.postMessage('too late')
})
