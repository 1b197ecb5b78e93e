// A worker with nothing left to do ends with code 0; a listener on its port keeps it alive until the port is closed.
import { log, spawn } from './world.mjs'

const worker = spawn(({ parentPort }) => {
  parentPort.on('message', () => parentPort.close())
})
worker.on('exit', (code) => log(`exit ${code}`))
setTimeout(() => {
  log('post')
  worker.postMessage('close')
}, 100)
