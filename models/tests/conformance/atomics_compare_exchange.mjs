// compareExchange returns what it found, whether it wrote or not.
import { log } from './world.mjs'

const view = new Int32Array(new SharedArrayBuffer(4))
log(`${Atomics.compareExchange(view, 0, 0, 1)}`)
log(`${Atomics.compareExchange(view, 0, 0, 2)}`)
log(`${Atomics.load(view, 0)}`)
