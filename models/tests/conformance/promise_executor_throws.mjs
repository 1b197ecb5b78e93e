// An executor that throws rejects.
import { log } from './world.mjs'

new Promise(() => {
  throw new Error('from the executor')
}).catch((error) => log(`caught ${error.message}`))
log('after')
