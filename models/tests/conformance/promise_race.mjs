// The first to settle wins, by order of settlement, not of input; the others go on.
import { log } from './world.mjs'

let resolve_a, reject_b
const a = new Promise((resolve) => (resolve_a = resolve))
const b = new Promise((resolve, reject) => (reject_b = reject))
a.then((value) => log(`${value} settled`))
Promise.race([a, b]).then(log, (error) => log(`race: ${error.message}`))
reject_b(new Error('b'))
resolve_a('a')
