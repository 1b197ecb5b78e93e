// What is posted before the worker is up waits for its listener.
import { log, spawn } from './world.mjs'

const worker = spawn(({ parentPort }) => {
  parentPort.on('message', (message) => {
    parentPort.postMessage(`got ${message}`)
    if (message === 'b') parentPort.close()
  })
})
worker.on('message', log)
worker.on('exit', (code) => log(`exit ${code}`))
worker.postMessage('a')
worker.postMessage('b')
