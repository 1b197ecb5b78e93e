// A completion comes before or after the immediate.
import { stat } from 'node:fs'
import { log } from './world.mjs'

stat('/', () => log('io'))
setImmediate(() => log('immediate'))
