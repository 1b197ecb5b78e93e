// Main drains ticks and microtasks between two messages of a worker.
import { log, spawn } from './world.mjs'

const worker = spawn(({ parentPort }) => {
  parentPort.postMessage('a')
  parentPort.postMessage('b')
})
worker.on('message', (name) => {
  log(`message ${name}`)
  queueMicrotask(() => log(`microtask of ${name}`))
  process.nextTick(() => log(`tick of ${name}`))
})
