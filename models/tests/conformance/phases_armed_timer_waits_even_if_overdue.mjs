// The same when the callback takes so long that the armed timer is overdue when it ends.
import { block, log } from './world.mjs'

setTimeout(() => {
  setTimeout(() => log('armed'), 0)
  setImmediate(() => log('immediate'))
  block(10)
  log('timer')
}, 1)
