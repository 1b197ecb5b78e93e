// Two chains of immediates go step by step.
import { log } from './world.mjs'

const chain = (name, steps) => {
  if (steps === 0) return
  setImmediate(() => {
    log(`${name} ${steps}`)
    chain(name, steps - 1)
  })
}
chain('a', 3)
chain('b', 2)
