// Messages of one port arrive in the order in which they were posted, and later than the code that posts.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port2.on('message', (message) => {
  log(message)
  if (message === 'c') port2.close()
})
port1.postMessage('a')
port1.postMessage('b')
port1.postMessage('c')
log('posted')
