// From the main module a timer of 0 ms and an immediate run in either order: it depends on whether 1 ms is over when the loop starts.
import { log } from './world.mjs'

setTimeout(() => log('timeout'), 0)
setImmediate(() => log('immediate'))
