// process.exit in a worker ends the worker only, with that code; what was posted before arrives, code behind it does not run.
import { log, spawn } from './world.mjs'

const worker = spawn(({ parentPort }) => {
  parentPort.postMessage('a')
  try {
    process.exit(3)
  } finally {
    parentPort.postMessage('never')
  }
})
worker.on('message', log)
worker.on('error', () => log('never'))
worker.on('exit', (code) => log(`exit ${code}`))
