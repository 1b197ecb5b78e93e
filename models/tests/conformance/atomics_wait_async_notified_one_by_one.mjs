// By a worker: first come, first settled, in one task or in several.
import { log, spawn } from './world.mjs'

const view = new Int32Array(new SharedArrayBuffer(4))
for (const name of ['a', 'b', 'c']) {
  Atomics.waitAsync(view, 0, 0).value.then(() => {
    log(name)
    Promise.resolve().then(() => log(`microtask of ${name}`))
  })
}
const worker = spawn(
  ({ parentPort, workerData }) => {
    for (let i = 0; i < 3; i++) Atomics.notify(workerData, 0, 1)
    parentPort.on('message', () => parentPort.close())
  },
  { workerData: view }
)
setTimeout(() => worker.postMessage('end'), 50)
