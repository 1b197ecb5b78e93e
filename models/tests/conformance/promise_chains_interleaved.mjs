// Three chains go on in turn.
import { log } from './world.mjs'

const chain = (name, steps) => {
  let promise = Promise.resolve()
  for (let i = 1; i <= steps; i++) promise = promise.then(() => log(`${name}${i}`))
}
chain('a', 3)
chain('b', 1)
chain('c', 2)
