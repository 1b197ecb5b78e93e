// A worker that is gone takes nothing, neither the port nor what could not be cloned.
import { MessageChannel } from 'node:worker_threads'
import { log, spawn } from './world.mjs'

const { port1, port2 } = new MessageChannel()
const worker = spawn(() => {})
worker.on('exit', () => {
  worker.postMessage(port2, [port2])
  worker.postMessage(() => {})
  port1.on('message', (message) => {
    log(message)
    port1.close()
  })
  port2.postMessage('still mine')
})
