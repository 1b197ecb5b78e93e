// The promise settles in a task of its own, after ticks and microtasks of the callback that woke it.
import { log } from './world.mjs'

const view = new Int32Array(new SharedArrayBuffer(4))
setTimeout(() => log('end'), 50)
setImmediate(() => {
  Atomics.waitAsync(view, 0, 0).value.then(log)
  log(`woken ${Atomics.notify(view, 0)}`)
  process.nextTick(() => log('tick'))
  queueMicrotask(() => log('microtask'))
})
