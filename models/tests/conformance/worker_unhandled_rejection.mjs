// A rejection that nobody handles ends the worker like a throw.
import { log, spawn } from './world.mjs'

const worker = spawn(() => {
  Promise.reject(new Error('oops'))
  setTimeout(() => {}, 10000)
})
worker.on('error', (error) => log(`error ${error.message}`))
worker.on('exit', (code) => log(`exit ${code}`))
