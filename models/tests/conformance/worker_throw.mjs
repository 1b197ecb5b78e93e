// A worker that throws: 'error', then 'exit' with code 1.
import { log, spawn } from './world.mjs'

const worker = spawn(() => {
  throw new Error('oops')
})
worker.on('error', (error) => log(`error ${error.message}`))
worker.on('exit', (code) => log(`exit ${code}`))
