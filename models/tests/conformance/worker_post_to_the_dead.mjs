// Posting to a dead worker does nothing and says nothing.
import { log, spawn } from './world.mjs'

const worker = spawn(() => {})
worker.on('error', () => log('never'))
worker.on('message', () => log('never'))
worker.on('exit', (code) => {
  log(`exit ${code}`)
  worker.postMessage('job')
  log('posted')
  setTimeout(() => log('nothing came'), 20)
})
