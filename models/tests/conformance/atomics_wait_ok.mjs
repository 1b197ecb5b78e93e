// Main waits, a worker writes and wakes it: "ok" if it slept, "not-equal" if the worker was first.
import { log, spawn } from './world.mjs'

const shared = new Int32Array(new SharedArrayBuffer(4))
spawn(
  ({ workerData }) => {
    Atomics.store(workerData, 0, 1)
    Atomics.notify(workerData, 0)
  },
  { workerData: shared }
)
log(Atomics.wait(shared, 0, 0))
log(`value ${Atomics.load(shared, 0)}`)
