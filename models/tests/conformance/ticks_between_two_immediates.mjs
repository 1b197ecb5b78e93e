// Between two immediates of one phase, ticks and microtasks are drained.
import { log } from './world.mjs'

for (const name of ['a', 'b']) {
  setImmediate(() => {
    log(`immediate ${name}`)
    queueMicrotask(() => log(`microtask of ${name}`))
    process.nextTick(() => log(`tick of ${name}`))
  })
}
