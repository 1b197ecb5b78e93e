// Question and answer, one after the other.
import { log, spawn } from './world.mjs'

const worker = spawn(({ parentPort }) => {
  parentPort.on('message', (n) => parentPort.postMessage(n * 2))
})
worker.on('message', (n) => {
  log(`${n}`)
  if (n < 8) worker.postMessage(n)
  else worker.terminate()
})
worker.on('exit', (code) => log(`exit ${code}`))
worker.postMessage(1)
