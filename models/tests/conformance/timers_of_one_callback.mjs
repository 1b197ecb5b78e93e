// The clock goes on between two calls, so that either order can be seen.
import { block, log } from './world.mjs'

block(5) // the first call of anything takes its time
setTimeout(() => log('2'), 2)
block(Math.random() * 2)
setTimeout(() => log('1'), 1)
block(5)
