// The main module alone keeps no loop alive.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port2.on('message', () => log('never'))
port2.unref()
port1.postMessage('message')
log('main')
