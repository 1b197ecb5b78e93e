// The first resolve counts; later ones do nothing.
import { log } from './world.mjs'

const promise = new Promise((resolve) => {
  resolve('first')
  resolve('second')
})
promise.then(log)
