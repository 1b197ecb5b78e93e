// A thenable costs one microtask more: its then() is called in a microtask of its own.
import { clock, log } from './world.mjs'

const thenable = {
  then(resolve) {
    log('then called')
    resolve('v')
  }
}
const run = async () => {
  log('start')
  log(`got ${await thenable}`)
}
run()
clock(3)
