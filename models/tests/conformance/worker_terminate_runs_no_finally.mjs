// Nothing is unwound: the lock word stays taken.
import { log, spawn } from './world.mjs'

const shared = new Int32Array(new SharedArrayBuffer(8))
const worker = spawn(
  ({ workerData, parentPort }) => {
    Atomics.compareExchange(workerData, 0, 0, 1)
    try {
      parentPort.postMessage('locked')
      Atomics.wait(workerData, 1, 0)
    } finally {
      Atomics.store(workerData, 0, 0)
    }
  },
  { workerData: shared }
)
worker.on('message', async (message) => {
  log(message)
  log(`terminated ${await worker.terminate()}`)
  log(`lock word ${Atomics.load(shared, 0)}`)
})
