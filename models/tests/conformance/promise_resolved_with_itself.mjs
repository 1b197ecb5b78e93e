// A promise that is resolved with itself is rejected with a TypeError.
import { log } from './world.mjs'

let resolve
const promise = new Promise((r) => (resolve = r))
promise.catch((error) => log(error.name))
resolve(promise)
