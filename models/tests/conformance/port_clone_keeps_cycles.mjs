// A cycle arrives as a cycle.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
const node = { name: 'a' }
node.self = node
port2.on('message', (message) => {
  log(`${message.self.self.name}, the same ${message.self === message}`)
  port2.close()
})
port1.postMessage(node)
