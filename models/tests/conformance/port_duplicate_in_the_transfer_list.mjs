// The same buffer twice in a transfer list is an error, and the buffer stays.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1 } = new MessageChannel()
const buffer = new ArrayBuffer(8)
try {
  port1.postMessage(buffer, [buffer, buffer])
} catch (error) {
  log(error.name)
}
log(`${buffer.byteLength} bytes left`)
