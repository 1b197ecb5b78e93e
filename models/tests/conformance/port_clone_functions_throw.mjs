// Functions cannot be cloned: postMessage throws at once, nothing is sent, and a buffer in the transfer list stays.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port2.on('message', (message) => {
  log(`received ${message}`)
  port2.close()
})
const buffer = new ArrayBuffer(8)
try {
  port1.postMessage({ job: () => {}, buffer }, [buffer])
} catch (error) {
  log(error.name)
}
log(`${buffer.byteLength} bytes left`)
port1.postMessage('next')
