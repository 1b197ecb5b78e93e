// After a transfer the sender's buffer has no bytes, at once.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
const buffer = new ArrayBuffer(8)
const view = new Uint8Array(buffer)
view[0] = 42
port2.on('message', (received) => {
  log(`received ${received.byteLength} bytes, first ${new Uint8Array(received)[0]}`)
  port2.close()
})
port1.postMessage(buffer, [buffer])
log(`sender has ${buffer.byteLength} bytes`)
