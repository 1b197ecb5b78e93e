// A port that is sent takes along what was posted to it.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const outer = new MessageChannel()
const inner = new MessageChannel()
inner.port1.postMessage('early')
outer.port2.on('message', (port) => {
  log('got the port')
  port.on('message', (message) => {
    log(message)
    if (message === 'late') port.close()
  })
  outer.port2.close()
})
outer.port1.postMessage(inner.port2, [inner.port2])
inner.port1.postMessage('late')
