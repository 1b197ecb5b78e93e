// A timer clears an immediate before the check phase.
import { block, log } from './world.mjs'

setTimeout(() => {
  const cleared = setImmediate(() => log('never'))
  setImmediate(() => log('immediate'))
  clearImmediate(cleared)
  log('timer')
}, 1)
