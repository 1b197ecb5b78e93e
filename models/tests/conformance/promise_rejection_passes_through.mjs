// then() without a second function hands a rejection on, one microtask for each; catch() ends it.
import { clock, log } from './world.mjs'

Promise.reject(new Error('no'))
  .then(() => log('never'))
  .then(() => log('never'))
  .catch((error) => log(`caught ${error.message}`))
  .then(() => log('goes on'))
clock(5)
