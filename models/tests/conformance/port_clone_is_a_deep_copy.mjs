// The copy is taken when postMessage is called; two references to one object stay one object.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

const { port1, port2 } = new MessageChannel()
const inner = { value: 1 }
port2.on('message', (message) => {
  log(`value ${message.first.value}, same object ${message.first === message.second}`)
  log(`same as the sender's ${message.first === inner}`)
  port2.close()
})
port1.postMessage({ first: inner, second: inner })
inner.value = 2
