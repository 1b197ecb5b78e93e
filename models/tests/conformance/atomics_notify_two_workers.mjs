// notify wakes those who sleep, and says how many; who comes later finds the new value.
import { log, spawn } from './world.mjs'

const shared = new Int32Array(new SharedArrayBuffer(4))
for (let i = 0; i < 2; i++) {
  const worker = spawn(
    ({ parentPort, workerData }) => parentPort.postMessage(Atomics.wait(workerData, 0, 0)),
    { workerData: shared }
  )
  worker.on('message', log)
  if (i === 1) {
    worker.on('online', () => {
      Atomics.store(shared, 0, 1)
      log(`woke ${Atomics.notify(shared, 0)}`)
    })
  }
}
