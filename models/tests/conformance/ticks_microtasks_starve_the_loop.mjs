// As long as there are microtasks, neither ticks, nor a timer that is due, nor immediates run.
import { block, log } from './world.mjs'

let microtasks = 0
const again = () => {
  if (++microtasks < 50) queueMicrotask(again)
}
setImmediate(() => {
  setTimeout(() => log(`timer after ${microtasks}`), 1)
  setImmediate(() => log(`immediate after ${microtasks}`))
  queueMicrotask(() => {
    process.nextTick(() => log(`tick after ${microtasks}`))
    again()
  })
  block(10)
})
