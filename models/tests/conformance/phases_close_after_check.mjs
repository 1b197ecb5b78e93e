// The close event comes in the close phase: after the immediates of this iteration, before those of the next.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1 } = new MessageChannel()
port1.on('close', () => log('close'))
setImmediate(() => {
  port1.close()
  setImmediate(() => log('immediate of the next iteration'))
  log('first immediate')
})
setImmediate(() => log('second immediate'))
