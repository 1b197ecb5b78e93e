// terminate() stops a worker that never comes back to its loop.
import { log, spawn } from './world.mjs'

const worker = spawn(
  ({ parentPort, workerData }) => {
    parentPort.postMessage('spins')
    while (Atomics.load(workerData, 0) === 0);
  },
  { workerData: new Int32Array(new SharedArrayBuffer(4)) }
)
worker.on('message', (message) => {
  log(message)
  worker.terminate().then((code) => log(`terminated ${code}`))
})
worker.on('exit', (code) => log(`exit ${code}`))
