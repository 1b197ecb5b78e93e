// All of them return the value before; store returns what it was given.
import { log } from './world.mjs'

const view = new Int32Array(new SharedArrayBuffer(4))
log(`store ${Atomics.store(view, 0, 12)}`)
log(`add ${Atomics.add(view, 0, 3)}`)
log(`sub ${Atomics.sub(view, 0, 5)}`)
log(`and ${Atomics.and(view, 0, 6)}`)
log(`or ${Atomics.or(view, 0, 9)}`)
log(`xor ${Atomics.xor(view, 0, 5)}`)
log(`exchange ${Atomics.exchange(view, 0, 40)}`)
log(`load ${Atomics.load(view, 0)}`)
