// The executor runs inside the constructor, reactions in microtasks.
import { log } from './world.mjs'

const promise = new Promise((resolve) => {
  log('executor')
  resolve('value')
  log('executor goes on')
})
promise.then(log)
log('after')
