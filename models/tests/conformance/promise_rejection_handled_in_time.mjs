// A handler that is added in the same drain, however late, is in time.
import { log } from './world.mjs'

process.on('unhandledRejection', () => log('unhandled'))
setImmediate(() => {
  const rejected = Promise.reject(new Error('no'))
  queueMicrotask(() => process.nextTick(() => rejected.catch(() => log('caught'))))
})
setImmediate(() => log('next immediate'))
