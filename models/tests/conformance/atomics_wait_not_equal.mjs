// wait looks at the value first: it must be the expected one.
import { log } from './world.mjs'

const view = new Int32Array(new SharedArrayBuffer(4))
Atomics.store(view, 0, 1)
log(Atomics.wait(view, 0, 0))
