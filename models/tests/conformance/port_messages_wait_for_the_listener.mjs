// A port queues until somebody listens.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port1.postMessage('early')
setTimeout(() => {
  log('listens now')
  port2.on('message', (message) => {
    log(message)
    port2.close()
  })
}, 5)
