// The loop goes on while main waits for a worker.
import { log, spawn } from './world.mjs'

const shared = new Int32Array(new SharedArrayBuffer(4))
const waiting = Atomics.waitAsync(shared, 0, 0)
log(`async ${waiting.async}`)
const worker = spawn(
  ({ parentPort, workerData }) => {
    parentPort.once('message', () => {
      Atomics.store(workerData, 0, 1)
      Atomics.notify(workerData, 0)
    })
  },
  { workerData: shared }
)
waiting.value.then((result) => log(`${result}, value ${Atomics.load(shared, 0)}`))
setTimeout(() => {
  log('timer')
  worker.postMessage('go')
}, 1)
setTimeout(() => {}, 300)
