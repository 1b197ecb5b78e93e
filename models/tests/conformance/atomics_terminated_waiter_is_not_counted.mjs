// A worker that is terminated in Atomics.wait, itself or with the worker that started it, waits no longer.
import { log, spawn } from './world.mjs'

const view = new Int32Array(new SharedArrayBuffer(4))
const sleeper = ({ parentPort, workerData }) => {
  parentPort.postMessage('sleeps')
  Atomics.wait(workerData, 0, 0)
}
const nested = ({ Worker, parentPort, workerData }) => {
  const inner = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
    parentPort.postMessage('sleeps')
    Atomics.wait(workerData, 0, 0)`,
    { eval: true, workerData }
  )
  inner.on('message', (message) => parentPort.postMessage(message))
}
for (const body of [sleeper, nested]) {
  const worker = spawn(body, { workerData: view })
  await new Promise((resolve) => worker.once('message', resolve))
  await worker.terminate()
  log(`notify ${Atomics.notify(view, 0)}`)
}
