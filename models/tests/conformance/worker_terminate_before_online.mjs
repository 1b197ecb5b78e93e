// Terminated at once, while it boots: no 'online', no 'error', and exit code 0. If it were up already, it would be 1. The event comes before
// the promise.
import { log, spawn } from './world.mjs'

const worker = spawn(({ parentPort }) => parentPort.on('message', () => {}))
worker.on('online', () => log('online'))
worker.on('error', () => log('never'))
worker.on('exit', (code) => log(`exit ${code}`))
worker.terminate().then((code) => log(`terminated ${code}`))
