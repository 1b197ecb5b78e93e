// workerData is a copy, taken when the worker is created.
import { log, spawn } from './world.mjs'

const data = { value: 1 }
const worker = spawn(
  ({ parentPort, workerData }) => {
    workerData.value += 10
    parentPort.postMessage(workerData.value)
  },
  { workerData: data }
)
data.value = 2
worker.on('message', (value) => log(`worker has ${value}`))
worker.on('exit', () => log(`main has ${data.value}`))
