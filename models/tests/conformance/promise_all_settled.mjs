// allSettled() reports each outcome.
import { clock, log } from './world.mjs'

Promise.allSettled([Promise.resolve('a'), Promise.reject(new Error('b')), 'c']).then((results) => {
  for (const result of results) log(`${result.status} ${result.value ?? result.reason.message}`)
})
clock(3)
