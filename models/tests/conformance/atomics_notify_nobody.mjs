// notify returns how many it woke, and nobody remembers it: a later wait sleeps all the same.
import { log } from './world.mjs'

const view = new Int32Array(new SharedArrayBuffer(4))
log(`${Atomics.notify(view, 0)}`)
log(Atomics.wait(view, 0, 0, 10))
