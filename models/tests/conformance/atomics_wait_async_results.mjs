// waitAsync answers at once if it need not wait.
import { log } from './world.mjs'

const view = new Int32Array(new SharedArrayBuffer(4))
const different = Atomics.waitAsync(view, 0, 1)
log(`async ${different.async}, ${different.value}`)
const no_time = Atomics.waitAsync(view, 0, 0, 0)
log(`async ${no_time.async}, ${no_time.value}`)
const waits = Atomics.waitAsync(view, 0, 0)
log(`async ${waits.async}, ${waits.value instanceof Promise}`)
