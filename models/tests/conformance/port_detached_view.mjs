// A view on a detached buffer: reads give undefined, writes vanish, and only a new view throws.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1 } = new MessageChannel()
const buffer = new ArrayBuffer(8)
const view = new Uint8Array(buffer)
port1.postMessage(buffer, [buffer])
view[0] = 1
log(`length ${view.length}, first ${view[0]}`)
try {
  new Uint8Array(buffer)
} catch (error) {
  log(error.name)
}
