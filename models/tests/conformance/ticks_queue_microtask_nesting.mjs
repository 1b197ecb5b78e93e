// A nested microtask goes to the end of the queue.
import { log } from './world.mjs'

queueMicrotask(() => {
  log('1')
  queueMicrotask(() => {
    log('1.1')
    queueMicrotask(() => log('1.1.1'))
  })
  queueMicrotask(() => log('1.2'))
})
queueMicrotask(() => {
  log('2')
  queueMicrotask(() => log('2.1'))
})
