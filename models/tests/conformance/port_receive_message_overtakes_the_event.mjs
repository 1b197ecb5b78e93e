// What receiveMessageOnPort has taken does not come as an event any more.
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port2.on('message', (message) => {
  log(`event ${message}`)
  port2.close()
})
port1.postMessage('a')
port1.postMessage('b')
log(`taken ${receiveMessageOnPort(port2).message}`)
