// A worker whose program is a module: as on main, its microtasks come before its ticks.
import { Worker } from 'node:worker_threads'
import { log } from './world.mjs'

const program = `
  import { parentPort } from 'node:worker_threads'
  queueMicrotask(() => parentPort.postMessage('microtask'))
  process.nextTick(() => parentPort.postMessage('tick'))
  parentPort.postMessage('body')`
const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`))
worker.on('message', log)
