// A SharedArrayBuffer in the transfer list is an error.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1 } = new MessageChannel()
const shared = new SharedArrayBuffer(4)
try {
  port1.postMessage(shared, [shared])
} catch {
  log('throws')
}
log(`${shared.byteLength} bytes left`)
