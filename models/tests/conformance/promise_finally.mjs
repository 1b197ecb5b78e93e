// finally() gets nothing, changes nothing, and costs two microtasks more than then(); if it throws, that counts.
import { clock, log } from './world.mjs'

Promise.resolve('value')
  .finally(() => log('finally 1'))
  .then(log)
Promise.reject(new Error('error'))
  .finally(() => log('finally 2'))
  .catch((error) => log(error.message))
Promise.resolve('value')
  .finally(() => {
    throw new Error('thrown by finally')
  })
  .catch((error) => log(error.message))
clock(5)
