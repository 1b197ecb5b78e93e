// A port in a message that the worker has not read when it ends: the other end gets 'close'.
import { MessageChannel } from 'node:worker_threads'
import { log, spawn } from './world.mjs'

const { port1, port2 } = new MessageChannel()
const worker = spawn(({ parentPort }) => parentPort.once('message', () => process.exit(0)))
port1.on('message', () => log('never'))
port1.on('close', () => log('close'))
worker.postMessage('end')
worker.postMessage(port2, [port2])
