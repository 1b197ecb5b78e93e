// A timer without a reference that is due when the last callback has run fires nevertheless.
import { block, log } from './world.mjs'

setTimeout(() => log('timer'), 1).unref()
setImmediate(() => {
  log('immediate')
  block(5)
})
