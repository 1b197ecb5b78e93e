// The carrying port closes before anybody has read the message.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const carrier = new MessageChannel()
const carried = new MessageChannel()
carried.port1.on('message', () => log('never'))
carried.port1.on('close', () => log('close'))
carrier.port1.postMessage(carried.port2, [carried.port2])
setImmediate(() => {
  log('carrier closes')
  carrier.port2.close()
})
