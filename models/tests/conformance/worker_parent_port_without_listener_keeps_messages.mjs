// The last listener that is removed stops the port: what comes then waits for the next one.
import { log, spawn } from './world.mjs'

const worker = spawn(({ parentPort }) => {
  parentPort.once('message', (message) => {
    parentPort.postMessage(`once ${message}`)
    setTimeout(() => {
      parentPort.on('message', (later) => {
        parentPort.postMessage(`on ${later}`)
        parentPort.close()
      })
    }, 50)
  })
})
worker.on('message', (message) => {
  log(message)
  if (message === 'once a') worker.postMessage('b')
})
worker.postMessage('a')
