// A timers phase reads the clock once: what becomes due meanwhile waits for the next one, behind immediates.
import { block, log } from './world.mjs'

setTimeout(() => {
  log('first')
  setImmediate(() => log('immediate'))
  block(30)
}, 5)
setTimeout(() => log('second'), 15)
