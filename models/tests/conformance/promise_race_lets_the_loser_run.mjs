// A time limit by Promise.race ends the waiting, not the work.
import { log } from './world.mjs'

const limit = new Promise((resolve, reject) => setTimeout(() => reject(new Error('too late')), 5))
const work = new Promise((resolve) => setTimeout(resolve, 50, 'done')).then((value) => {
  log(`work ${value}`)
  return value
})
Promise.race([work, limit]).catch((error) => log(error.message))
