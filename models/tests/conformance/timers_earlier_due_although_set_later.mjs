// What counts is the time of setting plus the duration.
import { block, log } from './world.mjs'

setTimeout(() => log('set at 0 for 50'), 50)
block(15)
setTimeout(() => log('set at 15 for 10'), 10)
block(60)
