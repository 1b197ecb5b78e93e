// A removed listener is not called.
import { log } from './world.mjs'

const controller = new AbortController()
const removed = () => log('never')
controller.signal.addEventListener('abort', removed)
controller.signal.addEventListener('abort', () => log('once'), { once: true })
controller.signal.removeEventListener('abort', removed)
controller.abort()
