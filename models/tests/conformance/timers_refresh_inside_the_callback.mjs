// refresh() arms a timer again that runs.
import { log } from './world.mjs'

let runs = 0
const timer = setTimeout(() => {
  log(`run ${++runs}`)
  if (runs < 3) timer.refresh()
}, 2)
