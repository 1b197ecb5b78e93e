// An interval that was blocked for several periods runs once, then a whole period later: the shorter timer comes first.
import { block, log } from './world.mjs'

let runs = 0
const interval = setInterval(() => {
  log(`run ${++runs}`)
  if (runs === 1) setTimeout(() => log('timeout'), 10)
  if (runs === 2) clearInterval(interval)
}, 40)
block(130)
log('main')
