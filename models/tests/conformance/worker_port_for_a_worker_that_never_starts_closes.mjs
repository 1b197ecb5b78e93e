// The same for workerData that nobody reads.
import { MessageChannel } from 'node:worker_threads'
import { log, spawn } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port1.on('message', () => log('never'))
port1.on('close', () => log('close'))
const worker = spawn(() => {}, { workerData: port2, transferList: [port2] })
worker.terminate()
