// A cleared timer does not run; clearing it again, or one that has run, does nothing.
import { log } from './world.mjs'

const cleared = setTimeout(() => log('never'), 1)
const runs = setTimeout(() => log('runs'), 1)
clearTimeout(cleared)
clearTimeout(cleared)
setTimeout(() => {
  clearTimeout(runs)
  log('end')
}, 10)
