// wait with a time-out, on the main thread: Node allows it, and the whole loop stands still.
import { log } from './world.mjs'

const view = new Int32Array(new SharedArrayBuffer(4))
setImmediate(() => log('immediate'))
log(Atomics.wait(view, 0, 0, 20))
log(Atomics.wait(view, 0, 0, 0))
