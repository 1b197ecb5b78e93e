// Also when all of them are overdue.
import { block, log } from './world.mjs'

setTimeout(() => log('20'), 20)
setTimeout(() => log('1'), 1)
setTimeout(() => log('10'), 10)
block(40)
log('main')
