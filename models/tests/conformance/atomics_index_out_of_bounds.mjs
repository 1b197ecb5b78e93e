// An index outside the view is a RangeError; the plain access gives undefined, and a plain write vanishes.
import { log } from './world.mjs'

const view = new Int32Array(new SharedArrayBuffer(8))
try {
  Atomics.load(view, 2)
} catch (error) {
  log(error.name)
}
view[2] = 7
log(`${view[2]}`)
