// resolve(pending promise) settles nothing yet, but a later resolve or reject does nothing any more.
import { log } from './world.mjs'

let resolve_inner
const inner = new Promise((resolve) => (resolve_inner = resolve))
const outer = new Promise((resolve, reject) => {
  resolve(inner)
  reject(new Error('ignored'))
})
outer.then(log)
setImmediate(() => {
  log('still pending')
  resolve_inner('value of inner')
})
