// A port that its own side closes delivers nothing more, whether it was posted before or after.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
port1.on('message', () => log('never'))
port1.on('close', () => log('close'))
port2.postMessage('before')
port1.close()
port2.postMessage('after')
