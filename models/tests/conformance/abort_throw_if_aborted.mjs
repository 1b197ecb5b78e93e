// throwIfAborted() throws the reason itself.
import { log } from './world.mjs'

const controller = new AbortController()
controller.signal.throwIfAborted()
log('not aborted')
controller.abort(new Error('time is up'))
try {
  controller.signal.throwIfAborted()
} catch (error) {
  log(error.message)
}
