// Without a reason it is an AbortError.
import { log } from './world.mjs'

const controller = new AbortController()
log(`before ${controller.signal.reason}`)
controller.abort()
log(`after ${controller.signal.reason.name}`)
