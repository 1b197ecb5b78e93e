// Reactions of one promise run in the order in which they were added; one that is added after the promise is settled comes last.
import { log } from './world.mjs'

let resolve
const promise = new Promise((r) => (resolve = r))
promise.then(() => log('1'))
const waits = async () => {
  await promise
  log('2')
}
waits()
promise.then(() => log('3'))
resolve()
promise.then(() => log('4'))
log('resolved')
