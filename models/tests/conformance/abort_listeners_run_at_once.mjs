// abort() calls the listeners before it returns, in order of registration.
import { log } from './world.mjs'

const controller = new AbortController()
controller.signal.addEventListener('abort', () => log('listener 1'))
controller.signal.addEventListener('abort', () => log('listener 2'))
log(`aborted ${controller.signal.aborted}`)
controller.abort()
log(`aborted ${controller.signal.aborted}`)
