// Terminated once it is online: exit code 1. The event comes before the promise.
import { log, spawn } from './world.mjs'

const worker = spawn(({ parentPort }) => parentPort.on('message', () => {}))
worker.on('online', () => {
  log('online')
  worker.terminate().then((code) => log(`terminated ${code}`))
})
worker.on('error', () => log('never'))
worker.on('exit', (code) => log(`exit ${code}`))
