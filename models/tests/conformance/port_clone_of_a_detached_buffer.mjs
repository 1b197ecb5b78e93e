// A detached buffer cannot be cloned.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
const buffer = new ArrayBuffer(8)
port2.on('message', (received) => log(`received ${received.byteLength} bytes`))
port1.postMessage(buffer, [buffer])
try {
  port1.postMessage(buffer)
  log('second post returned')
} catch (error) {
  log(error.name)
}
setTimeout(() => port1.close(), 5)
