// The tick queue is drained to empty first, nested ticks included.
import { log } from './world.mjs'

setImmediate(() => {
  queueMicrotask(() => log('microtask'))
  process.nextTick(() => {
    log('tick 1')
    process.nextTick(() => {
      log('tick in tick 1')
      process.nextTick(() => log('tick in that'))
    })
  })
  process.nextTick(() => log('tick 2'))
})
