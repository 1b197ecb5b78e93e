// A handler that throws: the error is uncaught, the messages behind come all the same.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

process.on('uncaughtException', (error) => log(`uncaught ${error.message}`))
const { port1, port2 } = new MessageChannel()
port2.on('message', (message) => {
  log(message)
  if (message === 'a') throw new Error('oops')
  port2.close()
})
port1.postMessage('a')
port1.postMessage('b')
