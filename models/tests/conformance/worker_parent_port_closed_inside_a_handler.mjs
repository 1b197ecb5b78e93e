// What is being delivered still comes; nothing can be posted any more.
import { log, spawn } from './world.mjs'

const counter = new Int32Array(new SharedArrayBuffer(4))
const worker = spawn(
  ({ parentPort, workerData }) => {
    parentPort.on('message', () => {
      Atomics.add(workerData, 0, 1)
      parentPort.close()
      parentPort.postMessage('never')
    })
  },
  { workerData: counter }
)
worker.on('message', log)
worker.on('exit', () => log(`handled ${Atomics.load(counter, 0)}`))
worker.postMessage('a')
worker.postMessage('b')
