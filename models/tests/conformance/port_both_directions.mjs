// The two directions are independent; an answer comes in a later turn.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port1.on('message', (message) => {
  log(`port 1 got ${message}`)
  port1.close()
})
port2.on('message', (message) => {
  port2.postMessage(`answer to ${message}`)
  log(`port 2 got ${message}`)
})
port1.postMessage('question')
