// What work of the thread pool posts is received in the same poll phase.
import { stat } from 'node:fs'
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port2.on('message', (message) => log(message))
port2.unref()
stat('/', () => {
  port1.postMessage('message')
  log('io')
})
