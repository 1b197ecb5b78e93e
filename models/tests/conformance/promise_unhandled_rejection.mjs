// The event comes when ticks and microtasks are drained, before the next immediate.
import { log } from './world.mjs'

process.on('unhandledRejection', (error) => log(`unhandled ${error.message}`))
setImmediate(() => {
  Promise.reject(new Error('no'))
  process.nextTick(() => log('tick'))
  queueMicrotask(() => {
    log('microtask')
    process.nextTick(() => log('tick of the microtask'))
  })
})
setImmediate(() => log('next immediate'))
