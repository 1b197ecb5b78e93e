// The handler of uncaught exceptions runs at once; the next timer of the same list before the ticks and microtasks of the one that threw.
import { block, log } from './world.mjs'

process.on('uncaughtException', (error) => log(`uncaught ${error.message}`))
setTimeout(() => {
  process.nextTick(() => log('tick'))
  queueMicrotask(() => log('microtask'))
  throw new Error('oops')
}, 1)
setTimeout(() => log('timer 2'), 1)
block(10)
