// A timer can clear one that is due in the same phase.
import { block, log } from './world.mjs'

const timers = []
timers[0] = setTimeout(() => {
  log('a')
  clearTimeout(timers[1])
}, 1)
timers[1] = setTimeout(() => log('never'), 1)
timers[2] = setTimeout(() => log('c'), 1)
block(10)
