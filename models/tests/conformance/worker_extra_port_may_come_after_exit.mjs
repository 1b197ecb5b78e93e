// A message on a port of its own may come before or after 'exit'.
import { MessageChannel } from 'node:worker_threads'
import { log, spawn } from './world.mjs'

const { port1, port2 } = new MessageChannel()
const worker = spawn(({ workerData }) => workerData.postMessage('on the extra port'), {
  workerData: port2,
  transferList: [port2]
})
port1.on('message', log)
worker.on('exit', (code) => log(`exit ${code}`))
