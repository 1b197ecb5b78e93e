// wait needs shared memory.
import { log } from './world.mjs'

try {
  Atomics.wait(new Int32Array(4), 0, 0)
} catch (error) {
  log(error.name)
}
try {
  Atomics.waitAsync(new Int32Array(4), 0, 0)
} catch (error) {
  log(error.name)
}
