// Between two timers of one phase, ticks and microtasks are drained.
import { log } from './world.mjs'

for (const name of ['a', 'b']) {
  setTimeout(() => {
    log(`timer ${name}`)
    queueMicrotask(() => log(`microtask of ${name}`))
    process.nextTick(() => log(`tick of ${name}`))
  }, 1)
}
