// A message posted in the check phase is there at the next poll phase, before the next check phase.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port2.on('message', (message) => {
  log(message)
  port2.close()
})
setImmediate(() => {
  port1.postMessage('message')
  setImmediate(() => log('immediate'))
  log('posted')
})
