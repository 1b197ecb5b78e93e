// An async function that returns a thenable.
import { clock, log } from './world.mjs'

const thenable = {
  then(resolve) {
    log('then called')
    resolve(7)
  }
}
const returns_thenable = async () => thenable
const run = async () => log(`got ${await returns_thenable()}`)
run()
clock(3)
