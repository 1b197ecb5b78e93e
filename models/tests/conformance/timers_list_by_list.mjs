// All timers of one duration that are due fire before the next list, even if a timer of that one is due earlier.
import { block, log } from './world.mjs'

setTimeout(() => log('set at 0 for 10'), 10)
block(3)
setTimeout(() => log('set at 3 for 8'), 8)
block(2)
setTimeout(() => log('set at 5 for 10'), 10)
block(40)
