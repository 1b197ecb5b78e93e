// Clearing in a microtask of the run is early enough, too.
import { log } from './world.mjs'

const interval = setInterval(() => {
  log('run')
  queueMicrotask(() => clearInterval(interval))
}, 1)
