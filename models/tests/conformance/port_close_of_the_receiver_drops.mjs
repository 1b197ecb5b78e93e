// What a port has not delivered when it is closed is lost.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port1.on('close', () => log('close 1'))
port2.on('message', () => log('never'))
port2.on('close', () => log('close 2'))
setImmediate(() => {
  port1.postMessage('a')
  port2.close()
})
