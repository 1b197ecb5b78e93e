// A short timer that is set late is due after a long one that is set early.
import { block, log } from './world.mjs'

setTimeout(() => log('set at 0 for 10'), 10)
block(30)
setTimeout(() => log('set at 30 for 1'), 1)
block(10)
