// receiveMessageOnPort takes the next message at once, without an event; undefined if there is none.
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
log(`${receiveMessageOnPort(port2)}`)
port1.postMessage('a')
port1.postMessage('b')
log(receiveMessageOnPort(port2).message)
log(receiveMessageOnPort(port2).message)
log(`${receiveMessageOnPort(port2)}`)
