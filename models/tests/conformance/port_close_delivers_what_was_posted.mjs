// What was posted before close() arrives, then the close event of the other end.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port1.on('close', () => log('close 1'))
port2.on('message', log)
port2.on('close', () => log('close 2'))
setImmediate(() => {
  port1.postMessage('a')
  port1.postMessage('b')
  port1.close()
  port1.postMessage('never')
})
