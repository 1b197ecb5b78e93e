// An immediate set by an immediate belongs to the next iteration.
import { log } from './world.mjs'

setImmediate(() => {
  log('1')
  setImmediate(() => log('nested in 1'))
})
setImmediate(() => {
  log('2')
  setImmediate(() => log('nested in 2'))
})
setImmediate(() => log('3'))
