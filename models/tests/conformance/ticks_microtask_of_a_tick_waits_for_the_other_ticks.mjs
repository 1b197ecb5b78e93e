// Microtasks are not run between two ticks.
import { log } from './world.mjs'

setImmediate(() => {
  process.nextTick(() => {
    log('tick 1')
    queueMicrotask(() => log('microtask of tick 1'))
  })
  process.nextTick(() => log('tick 2'))
})
