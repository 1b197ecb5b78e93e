// Whatever a worker throws is an 'error' on the parent.
import { log, spawn } from './world.mjs'

const worker = spawn(() => {
  throw 42
})
worker.on('error', (error) => log(`error ${error?.message ?? error}`))
worker.on('exit', (code) => log(`exit ${code}`))
