// One task settles all that have been notified, in the order of the notifications; then come the microtasks, then ticks.
import { log } from './world.mjs'

const view = new Int32Array(new SharedArrayBuffer(8))
const wait = (name, index) =>
  Atomics.waitAsync(view, index, 0).value.then(() => {
    log(name)
    process.nextTick(() => log(`tick of ${name}`))
    Promise.resolve().then(() => log(`microtask of ${name}`))
  })
wait('a', 0)
wait('b', 1)
wait('c', 0)
wait('d', 0)
Atomics.notify(view, 1)
Atomics.notify(view, 0, 1)
Atomics.notify(view, 0)
