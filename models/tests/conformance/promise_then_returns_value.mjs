// A reaction that returns a value: the next reaction runs one microtask later.
import { clock, log } from './world.mjs'

Promise.resolve()
  .then(() => 7)
  .then((value) => log(`got ${value}`))
clock(4)
