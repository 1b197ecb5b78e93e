// A throw in the worker's message handler ends it; what was posted behind is not handled.
import { log, spawn } from './world.mjs'

const worker = spawn(({ parentPort }) => {
  parentPort.on('message', (message) => {
    throw new Error(`cannot do ${message}`)
  })
})
worker.on('error', (error) => log(`error ${error.message}`))
worker.on('exit', (code) => log(`exit ${code}`))
worker.postMessage('job 1')
worker.postMessage('job 2')
