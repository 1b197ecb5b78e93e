// The list of a cleared timer without a reference stays, and expires when that timer was to fire.
import { block, log } from './world.mjs'

const cleared = setTimeout(() => log('never'), 10).unref()
clearTimeout(cleared)
block(7)
setTimeout(() => log('set at 7 for 5'), 5)
block(2)
setTimeout(() => log('set at 9 for 10'), 10)
block(40)
