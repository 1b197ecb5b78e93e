// A listener that throws does not stop the others; its error is uncaught in a tick.
import { log } from './world.mjs'

process.on('uncaughtException', (error) => log(`uncaught ${error.message}`))
const controller = new AbortController()
controller.signal.addEventListener('abort', () => {
  throw new Error('from listener 1')
})
controller.signal.addEventListener('abort', () => log('listener 2'))
controller.abort()
log('abort returned')
