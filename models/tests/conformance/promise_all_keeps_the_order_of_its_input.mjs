// Results stand in the order of the input, whatever is settled first.
import { log } from './world.mjs'

let resolve_a, resolve_b
const a = new Promise((resolve) => (resolve_a = resolve))
const b = new Promise((resolve) => (resolve_b = resolve))
a.then(() => log('a settled'))
b.then(() => log('b settled'))
Promise.all([a, b, 'c']).then((results) => log(results.join(' ')))
setImmediate(() => {
  resolve_b('b')
  setImmediate(() => resolve_a('a'))
})
