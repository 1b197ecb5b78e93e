// Between two messages of one port, ticks and microtasks are drained.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port2.on('message', (name) => {
  log(`message ${name}`)
  queueMicrotask(() => log(`microtask of ${name}`))
  process.nextTick(() => log(`tick of ${name}`))
  if (name === 'b') port2.close()
})
port1.postMessage('a')
port1.postMessage('b')
