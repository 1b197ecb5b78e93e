// Atomics.add in two workers.
import { log, spawn } from './world.mjs'

const shared = new Int32Array(new SharedArrayBuffer(4))
let left = 2
for (let i = 0; i < 2; i++) {
  const worker = spawn(({ workerData }) => Atomics.add(workerData, 0, 1), { workerData: shared })
  worker.on('exit', () => {
    if (--left === 0) log(`${Atomics.load(shared, 0)}`)
  })
}
