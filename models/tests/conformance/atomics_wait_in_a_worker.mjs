// A worker waits, main wakes it.
import { log, spawn } from './world.mjs'

const shared = new Int32Array(new SharedArrayBuffer(4))
const worker = spawn(
  ({ parentPort, workerData }) => {
    parentPort.postMessage(Atomics.wait(workerData, 0, 0))
  },
  { workerData: shared }
)
worker.on('online', () => {
  Atomics.store(shared, 0, 1)
  Atomics.notify(shared, 0)
})
worker.on('message', log)
