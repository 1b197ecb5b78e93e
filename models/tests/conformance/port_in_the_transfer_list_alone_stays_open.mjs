// It arrives although nothing in the message refers to it.
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { log } from './world.mjs'

const carrier = new MessageChannel()
const carried = new MessageChannel()
carried.port1.on('close', () => log('never'))
carrier.port1.postMessage('text', [carried.port2])
log(receiveMessageOnPort(carrier.port2).message)
setTimeout(() => log('still open'), 20)
