// view[0]++ in two workers is a read and a write each: one may be lost.
import { log, spawn } from './world.mjs'

const shared = new Int32Array(new SharedArrayBuffer(4))
let left = 2
for (let i = 0; i < 2; i++) {
  const worker = spawn(({ workerData }) => workerData[0]++, { workerData: shared })
  worker.on('exit', () => {
    if (--left === 0) log(`${shared[0]}`)
  })
}
