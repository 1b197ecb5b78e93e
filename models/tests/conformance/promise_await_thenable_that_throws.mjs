// A thenable whose then() throws is a rejection; throwing after it has resolved does nothing.
import { clock, log } from './world.mjs'

const thrower = {
  then() {
    throw new Error('no')
  }
}
const resolves_first = {
  then(resolve) {
    resolve('v')
    throw new Error('too late')
  }
}
const run = async () => {
  try {
    await thrower
  } catch (error) {
    log(`caught ${error.message}`)
  }
  log(`got ${await resolves_first}`)
}
run()
clock(5)
