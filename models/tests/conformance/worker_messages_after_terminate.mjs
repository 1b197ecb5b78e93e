// Between terminate() and 'exit' messages may still arrive.
import { log, spawn } from './world.mjs'

const worker = spawn(({ parentPort }) => {
  parentPort.postMessage('a')
  parentPort.postMessage('b')
  parentPort.on('message', () => {})
})
worker.on('message', (message) => {
  log(message)
  if (message === 'a') worker.terminate()
})
worker.on('exit', (code) => log(`exit ${code}`))
