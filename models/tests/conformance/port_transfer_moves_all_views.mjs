// Transferring a buffer detaches all views of it.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
const buffer = new ArrayBuffer(8)
const bytes = new Uint8Array(buffer)
const words = new Uint32Array(buffer)
port2.on('message', (received) => {
  log(`received ${received.byteLength} bytes`)
  port2.close()
})
port1.postMessage(buffer, [buffer])
log(`left: ${bytes.length} bytes, ${words.length} words`)
