// Its calls of waitAsync that are pending end with it, however it ends.
import { log, spawn } from './world.mjs'

const view = new Int32Array(new SharedArrayBuffer(4))
const bodies = [
  ({ workerData }) => Atomics.waitAsync(workerData, 0, 0),
  ({ workerData }) => {
    Atomics.waitAsync(workerData, 0, 0)
    process.exit(0)
  }
]
for (const body of bodies) {
  const worker = spawn(body, { workerData: view })
  await new Promise((resolve) => worker.once('exit', resolve))
  log(`notify ${Atomics.notify(view, 0)}`)
}
