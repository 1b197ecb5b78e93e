// An abort that comes after the result changes nothing.
import { log } from './world.mjs'

const controller = new AbortController()
const job = new Promise((resolve, reject) => {
  controller.signal.addEventListener('abort', () => reject(new Error('aborted')))
  setImmediate(() => resolve('result'))
})
job.then(log, (error) => log(error.message))
setTimeout(() => {
  controller.abort()
  log('aborted')
}, 5)
