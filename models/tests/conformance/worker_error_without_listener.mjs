// Without a listener the 'error' of a worker is an uncaught exception of main; 'exit' comes all the same.
import { log, spawn } from './world.mjs'

process.on('uncaughtException', (error) => log(`uncaught ${error.message}`))
const worker = spawn(() => {
  throw new Error('oops')
})
worker.on('exit', (code) => log(`exit ${code}`))
