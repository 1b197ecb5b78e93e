// A pending waitAsync does not keep the loop alive: the promise never settles.
import { log } from './world.mjs'

const view = new Int32Array(new SharedArrayBuffer(4))
Atomics.waitAsync(view, 0, 0).value.then(() => log('never'))
process.on('exit', (code) => log(`exit ${code}`))
