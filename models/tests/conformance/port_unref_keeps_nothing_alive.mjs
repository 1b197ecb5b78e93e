// A port that nobody listens to does not keep the loop alive.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1 } = new MessageChannel()
port1.postMessage('nobody')
process.on('exit', (code) => log(`exit ${code}`))
