// A port hears that the other end is closed even if nobody listens to its messages, but not before those that wait.
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { log } from './world.mjs'

const empty = new MessageChannel()
empty.port1.on('close', () => log('close of the empty one'))
empty.port2.close()

const full = new MessageChannel()
full.port1.on('close', () => log('close of the full one'))
full.port2.postMessage('waits')
full.port2.close()

setTimeout(() => {
  log(receiveMessageOnPort(full.port1).message)
  log(`${receiveMessageOnPort(full.port1)}`)
}, 20)
