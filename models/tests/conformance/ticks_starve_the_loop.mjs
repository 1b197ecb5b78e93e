// As long as there are ticks, neither microtasks nor immediates run.
import { log } from './world.mjs'

let ticks = 0
const tick = () => {
  if (++ticks < 50) process.nextTick(tick)
}
setImmediate(() => {
  queueMicrotask(() => log(`microtask after ${ticks} ticks`))
  setImmediate(() => log(`immediate after ${ticks} ticks`))
  process.nextTick(tick)
})
