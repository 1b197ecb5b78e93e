// Two workers come in either order.
import { log, spawn } from './world.mjs'

for (const name of ['a', 'b']) {
  const worker = spawn(({ parentPort, workerData }) => parentPort.postMessage(workerData), { workerData: name })
  worker.on('message', log)
}
