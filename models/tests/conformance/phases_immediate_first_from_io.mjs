// After an I/O callback comes the check phase, so that the immediate is always first.
import { stat } from 'node:fs'
import { log } from './world.mjs'

stat('/', () => {
  log('io')
  setTimeout(() => log('timeout'), 0)
  setImmediate(() => log('immediate'))
})
