// Closing a closed port does nothing; there is one close event.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1 } = new MessageChannel()
port1.on('close', () => log('close'))
setImmediate(() => {
  port1.close()
  port1.close()
})
