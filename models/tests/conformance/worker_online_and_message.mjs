// 'online' and the messages come on two channels: either may be first. 'exit' is last.
import { log, spawn } from './world.mjs'

const worker = spawn(({ parentPort }) => parentPort.postMessage('message'))
worker.on('online', () => log('online'))
worker.on('message', log)
worker.on('exit', (code) => log(`exit ${code}`))
