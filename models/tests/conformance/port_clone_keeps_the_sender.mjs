// Without a transfer list the receiver gets a copy as it is when postMessage is called.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
const view = new Uint8Array(4)
view[0] = 1
port2.on('message', (message) => {
  const received = new Uint8Array(message)
  log(`received ${received[0]}`)
  received[0] = 3
  log(`sender has ${view[0]}`)
  port2.close()
})
port1.postMessage(view.buffer)
view[0] = 2
