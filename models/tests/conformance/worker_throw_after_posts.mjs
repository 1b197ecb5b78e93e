// Messages and 'error' come on two channels: 'error' may overtake a message that was posted before. Both come before 'exit'.
import { log, spawn } from './world.mjs'

const worker = spawn(({ parentPort }) => {
  parentPort.postMessage('a')
  parentPort.postMessage('b')
  throw new Error('oops')
})
worker.on('message', log)
worker.on('error', (error) => log(`error ${error.message}`))
worker.on('exit', (code) => log(`exit ${code}`))
