// Also one that has run, but not one that was cleared.
import { log } from './world.mjs'

const timer = setTimeout(() => log('runs'), 2)
const cleared = setTimeout(() => log('never'), 50)
clearTimeout(cleared)
cleared.refresh()
setTimeout(() => {
  log('refresh')
  timer.refresh()
}, 20)
