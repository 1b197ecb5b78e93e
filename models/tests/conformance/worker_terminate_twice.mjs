// Each call of terminate() while the worker ends gets the code; that of a dead worker resolves, too.
import { log, spawn } from './world.mjs'

const worker = spawn(({ parentPort }) => parentPort.on('message', () => {}))
worker.on('exit', (code) => {
  log(`exit ${code}`)
  setImmediate(() => worker.terminate().then(() => log('terminated again')))
})
worker.on('online', () => {
  worker.terminate().then((code) => log(`first ${code}`))
  worker.terminate().then((code) => log(`second ${code}`))
})
