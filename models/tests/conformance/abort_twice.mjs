// Only the first abort() counts: one event, the first reason.
import { log } from './world.mjs'

const controller = new AbortController()
controller.signal.addEventListener('abort', () => log('abort event'))
controller.abort(new Error('first'))
controller.abort(new Error('second'))
log(controller.signal.reason.message)
