// A dependent signal: after its source, with the same reason, once.
import { log } from './world.mjs'

const a = new AbortController()
const b = new AbortController()
const either = AbortSignal.any([a.signal, b.signal])
const nested = AbortSignal.any([either])
nested.addEventListener('abort', () => log(`nested ${nested.reason.message}`))
either.addEventListener('abort', () => log(`either ${either.reason.message}`))
b.signal.addEventListener('abort', () => log('b'))
b.abort(new Error('from b'))
a.abort(new Error('from a'))
log(either.reason.message)
log(AbortSignal.any([new AbortController().signal, a.signal, b.signal]).reason.message)
