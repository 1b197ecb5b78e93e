// Tick, its microtask, the tick of that microtask, and so on, all before the next immediate.
import { log } from './world.mjs'

setImmediate(() => {
  process.nextTick(() => {
    log('tick 1')
    queueMicrotask(() => {
      log('microtask 1')
      process.nextTick(() => {
        log('tick 2')
        queueMicrotask(() => log('microtask 2'))
      })
    })
  })
})
setImmediate(() => log('next immediate'))
