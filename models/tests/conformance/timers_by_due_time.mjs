// Timers run by due time, whatever was set first.
import { log } from './world.mjs'

setTimeout(() => log('30'), 30)
setTimeout(() => log('10'), 10)
setTimeout(() => log('20'), 20)
