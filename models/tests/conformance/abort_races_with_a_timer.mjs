// A time-out that aborts, against work that ends in time: the timer is cleared.
import { log } from './world.mjs'

const controller = new AbortController()
controller.signal.addEventListener('abort', () => log('never'))
const timer = setTimeout(() => controller.abort(), 50)
setTimeout(() => {
  clearTimeout(timer)
  log(`done, aborted ${controller.signal.aborted}`)
}, 1)
