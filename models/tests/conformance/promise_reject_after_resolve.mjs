// A reject after resolve does nothing, nor does a throw of the executor.
import { log } from './world.mjs'

const rejects = new Promise((resolve, reject) => {
  resolve('value 1')
  reject(new Error('too late'))
})
const throws = new Promise((resolve) => {
  resolve('value 2')
  throw new Error('too late')
})
const resolves = new Promise((resolve, reject) => {
  reject(new Error('error 3'))
  resolve('too late')
})
const report = async (promise) => {
  try {
    log(await promise)
  } catch (error) {
    log(error.message)
  }
}
report(rejects)
report(throws)
report(resolves)
