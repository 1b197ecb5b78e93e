// Order holds per port only: here both get theirs in one poll phase, port by port.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const first = new MessageChannel()
const second = new MessageChannel()
first.port2.on('message', (message) => {
  log(`first ${message}`)
  first.port2.close()
})
second.port2.on('message', (message) => {
  log(`second ${message}`)
  if (message === 'c') second.port2.close()
})
setImmediate(() => {
  second.port1.postMessage('a')
  first.port1.postMessage('b')
  second.port1.postMessage('c')
})
