// A lock word with wait and notify: both workers get in, one after the other.
import { log, spawn } from './world.mjs'

const shared = new Int32Array(new SharedArrayBuffer(8))
let left = 2
for (let i = 0; i < 2; i++) {
  const worker = spawn(
    ({ workerData }) => {
      while (Atomics.compareExchange(workerData, 0, 0, 1) !== 0) Atomics.wait(workerData, 0, 1)
      workerData[1]++
      Atomics.store(workerData, 0, 0)
      Atomics.notify(workerData, 0, 1)
    },
    { workerData: shared }
  )
  worker.on('exit', () => {
    if (--left === 0) log(`${shared[1]}`)
  })
}
