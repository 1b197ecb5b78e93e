// await of a rejected promise throws after one microtask.
import { clock, log } from './world.mjs'

const run = async () => {
  try {
    await Promise.reject(new Error('no'))
  } catch (error) {
    log(`caught ${error.message}`)
  }
}
run()
clock(3)
