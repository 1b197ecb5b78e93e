// Ticks first, then microtasks, whatever was queued first.
import { log } from './world.mjs'

setImmediate(() => {
  queueMicrotask(() => log('microtask'))
  Promise.resolve().then(() => log('promise'))
  process.nextTick(() => log('tick'))
  log('immediate')
})
