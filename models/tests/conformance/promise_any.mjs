// any() skips rejections; if there is nothing else, it rejects with an AggregateError in the order of the input.
import { log } from './world.mjs'

Promise.any([Promise.reject(new Error('a')), Promise.resolve('b')]).then(log)
Promise.any([Promise.reject(new Error('x')), Promise.reject(new Error('y'))]).catch((error) =>
  log(`${error.name}: ${error.message}: ${error.errors.map((each) => each.message).join(' ')}`)
)
