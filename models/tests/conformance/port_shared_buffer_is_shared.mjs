// A SharedArrayBuffer is not copied: both ends see the same memory.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
const shared = new SharedArrayBuffer(4)
const view = new Int32Array(shared)
port2.on('message', (message) => {
  const received = new Int32Array(message)
  log(`received ${received[0]}`)
  received[0] = 3
  log(`sender has ${view[0]}`)
  port2.close()
})
port1.postMessage(shared)
view[0] = 2
