// A tick queued by a microtask waits until the microtask queue is empty, nested microtasks included.
import { log } from './world.mjs'

setImmediate(() => {
  queueMicrotask(() => {
    log('microtask 1')
    process.nextTick(() => log('tick'))
    queueMicrotask(() => {
      log('microtask in microtask 1')
      queueMicrotask(() => log('microtask in that'))
    })
  })
  queueMicrotask(() => log('microtask 2'))
})
