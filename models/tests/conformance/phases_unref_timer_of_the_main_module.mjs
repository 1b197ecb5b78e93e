// The same for the main module: it may have been run in a round of the loop, which ends with timers.
import { log } from './world.mjs'

setTimeout(() => log('timer'), 1).unref()
log('main')
