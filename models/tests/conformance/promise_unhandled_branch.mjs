// Each branch is a promise of its own: a caught one does not handle the other.
import { log } from './world.mjs'

process.on('unhandledRejection', (error) => log(`unhandled ${error.message}`))
setImmediate(() => {
  const rejected = Promise.reject(new Error('no'))
  rejected.catch(() => log('caught'))
  rejected.then(() => log('never'))
})
