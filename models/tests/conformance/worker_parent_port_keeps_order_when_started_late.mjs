// Messages that wait for the listener come before those that are posted while it is added.
import { log, spawn } from './world.mjs'

const worker = spawn(({ parentPort }) => {
  require('node:fs').stat('/', () => {
    parentPort.on('message', (message) => {
      parentPort.postMessage(message)
      if (message === 'c') parentPort.close()
    })
  })
})
worker.on('message', log)
for (const name of ['a', 'b', 'c']) worker.postMessage(name)
