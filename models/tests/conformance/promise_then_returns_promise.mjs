// A reaction that returns a promise: three microtasks later.
import { clock, log } from './world.mjs'

Promise.resolve()
  .then(() => Promise.resolve(7))
  .then((value) => log(`got ${value}`))
clock(5)
