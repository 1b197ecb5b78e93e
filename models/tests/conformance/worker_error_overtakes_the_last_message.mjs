// Whoever ends in the handler of a message may have heard of the later error before.
import { log, spawn } from './world.mjs'

const worker = spawn(({ parentPort }) => {
  parentPort.postMessage('message')
  throw new Error('oops')
})
worker.on('error', (error) => log(`error ${error.message}`))
worker.on('message', (message) => {
  log(message)
  process.exit(0)
})
