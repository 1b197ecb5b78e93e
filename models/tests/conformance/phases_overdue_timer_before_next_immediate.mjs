// An immediate that blocks: the timers phase of the next iteration comes before its check phase.
import { block, log } from './world.mjs'

setImmediate(() => {
  setTimeout(() => log('timer'), 0)
  setImmediate(() => log('next immediate'))
  block(10)
  log('immediate')
})
