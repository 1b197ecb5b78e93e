// Errors arrive as errors, with name and message.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port2.on('message', (error) => {
  log(`${error.name}: ${error.message}`)
  port2.close()
})
port1.postMessage(new RangeError('too much'))
