// Values wrap at the width of the element.
import { log } from './world.mjs'

const bytes = new Uint8Array(new SharedArrayBuffer(1))
log(`add ${Atomics.add(bytes, 0, 250)}`)
log(`add ${Atomics.add(bytes, 0, 10)}`)
log(`load ${Atomics.load(bytes, 0)}`)
log(`sub ${Atomics.sub(bytes, 0, 5)}`)
log(`load ${Atomics.load(bytes, 0)}`)
const words = new Int32Array(new SharedArrayBuffer(4))
Atomics.store(words, 0, 0x7fffffff)
Atomics.add(words, 0, 1)
log(`${Atomics.load(words, 0)}`)
