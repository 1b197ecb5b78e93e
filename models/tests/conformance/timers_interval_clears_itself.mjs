// An interval that clears itself while it runs does not run again.
import { log } from './world.mjs'

let runs = 0
const interval = setInterval(() => {
  log(`run ${++runs}`)
  if (runs === 3) {
    clearInterval(interval)
    log('cleared')
  }
}, 2)
