// waitAsync with a time-out.
import { log } from './world.mjs'

const view = new Int32Array(new SharedArrayBuffer(4))
setTimeout(() => log('end'), 200)
Atomics.waitAsync(view, 0, 0, 10).value.then(log)
