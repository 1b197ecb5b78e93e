// An interval counts from the begin of its run; a timer that the run sets later comes after it, although it is shorter.
import { block, log } from './world.mjs'

let runs = 0
const interval = setInterval(() => {
  log(`run ${++runs}`)
  if (runs === 2) return clearInterval(interval)
  block(20)
  setTimeout(() => log('timeout'), 20)
}, 30)
