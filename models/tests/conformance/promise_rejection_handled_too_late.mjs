// A handler that is added in the next callback is too late, but gets the error.
import { log } from './world.mjs'

process.on('unhandledRejection', () => log('unhandled'))
process.on('rejectionHandled', () => log('handled after all'))
let rejected
setImmediate(() => {
  rejected = Promise.reject(new Error('no'))
})
setImmediate(() => rejected.catch(() => log('caught')))
