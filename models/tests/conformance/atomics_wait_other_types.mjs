// wait works on Int32Array and BigInt64Array only, notify too.
import { log } from './world.mjs'

for (const type of [Uint8Array, Int16Array, Uint32Array, Float64Array]) {
  const view = new type(new SharedArrayBuffer(8))
  try {
    Atomics.wait(view, 0, 0, 0)
  } catch (error) {
    log(`${type.name} ${error.name}`)
  }
}
