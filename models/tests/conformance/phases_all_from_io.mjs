// Everything that can be queued, from one I/O callback.
import { stat } from 'node:fs'
import { log } from './world.mjs'

stat('/', () => {
  setTimeout(() => log('timeout'), 0)
  setImmediate(() => log('immediate'))
  Promise.resolve().then(() => log('promise'))
  queueMicrotask(() => log('microtask'))
  process.nextTick(() => log('tick'))
  log('io')
})
