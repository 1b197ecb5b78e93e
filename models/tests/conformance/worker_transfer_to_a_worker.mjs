// A buffer that is sent to a worker is gone here and there at once.
import { log, spawn } from './world.mjs'

const worker = spawn(({ parentPort }) => {
  parentPort.once('message', (buffer) => {
    parentPort.postMessage(buffer.byteLength)
  })
})
const buffer = new ArrayBuffer(16)
worker.on('message', (bytes) => log(`worker has ${bytes} bytes`))
worker.on('exit', (code) => log(`exit ${code}`))
worker.postMessage(buffer, [buffer])
log(`main has ${buffer.byteLength} bytes`)
