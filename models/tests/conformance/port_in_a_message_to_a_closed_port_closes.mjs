// Neither a port that is closed nor one whose other end is takes a message: what it would have carried closes.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const carrier = new MessageChannel()
carrier.port2.on('close', () => {
  for (const port of [carrier.port1, carrier.port2]) {
    const carried = new MessageChannel()
    carried.port1.on('message', () => log('never'))
    carried.port1.on('close', () => log('close'))
    port.postMessage(carried.port2, [carried.port2])
  }
})
carrier.port2.close()
