// A port in a message has to stand in the transfer list.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1 } = new MessageChannel()
const other = new MessageChannel()
try {
  port1.postMessage(other.port1)
} catch {
  log('throws')
}
