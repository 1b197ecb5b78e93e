// A timer that is armed in the timers phase waits for the next one, the immediate does not.
import { log } from './world.mjs'

setTimeout(() => {
  log('timer')
  setTimeout(() => log('armed'), 0)
  setImmediate(() => log('immediate'))
}, 1)
