// On a buffer that is not shared everything works but waiting; notify wakes nobody.
import { log } from './world.mjs'

const view = new Int32Array(4)
log(`add ${Atomics.add(view, 0, 1)}`)
log(`load ${Atomics.load(view, 0)}`)
log(`notify ${Atomics.notify(view, 0)}`)
