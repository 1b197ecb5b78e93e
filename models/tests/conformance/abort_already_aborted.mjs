// A listener that is added to an aborted signal is never called: look at aborted first.
import { log } from './world.mjs'

const signal = AbortSignal.abort(new Error('reason'))
signal.addEventListener('abort', () => log('never'))
log(`aborted ${signal.aborted}, ${signal.reason.message}`)
