// A reaction that returns a thenable: two microtasks later.
import { clock, log } from './world.mjs'

const thenable = {
  then(resolve) {
    log('then called')
    resolve(7)
  }
}
Promise.resolve()
  .then(() => thenable)
  .then((value) => log(`got ${value}`))
clock(4)
