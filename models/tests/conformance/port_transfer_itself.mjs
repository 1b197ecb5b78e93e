// A port cannot send itself.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1 } = new MessageChannel()
try {
  port1.postMessage(port1, [port1])
} catch (error) {
  log(error.name)
}
