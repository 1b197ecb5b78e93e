// What was queued before and behind the microtask that threw still runs: microtasks, then ticks.
import { log } from './world.mjs'

process.on('uncaughtException', (error) => log(`uncaught ${error.message}`))
setImmediate(() => {
  queueMicrotask(() => {
    process.nextTick(() => log('tick'))
    queueMicrotask(() => log('nested microtask'))
    throw new Error('oops')
  })
  queueMicrotask(() => log('microtask 2'))
  setImmediate(() => log('next immediate'))
})
