// The same for immediates: the next one of the phase runs before what the one that threw has queued.
import { log } from './world.mjs'

process.on('uncaughtException', (error) => log(`uncaught ${error.message}`))
setImmediate(() => {
  process.nextTick(() => log('tick'))
  queueMicrotask(() => log('microtask'))
  throw new Error('oops')
})
setImmediate(() => log('immediate 2'))
setImmediate(() => log('immediate 3'))
