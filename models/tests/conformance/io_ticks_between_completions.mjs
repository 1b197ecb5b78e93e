// Between two completions, ticks and microtasks are drained.
import { stat } from 'node:fs'
import { log } from './world.mjs'

for (const name of ['a', 'b']) {
  stat('/', () => {
    log(`io ${name}`)
    queueMicrotask(() => log(`microtask of ${name}`))
    process.nextTick(() => log(`tick of ${name}`))
  })
}
