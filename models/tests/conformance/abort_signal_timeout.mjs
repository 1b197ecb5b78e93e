// AbortSignal.timeout() aborts with a TimeoutError. It keeps the loop alive no longer than others do.
import { log } from './world.mjs'

const signal = AbortSignal.timeout(5)
signal.addEventListener('abort', () => log(signal.reason.name))
setTimeout(() => log('end'), 50)
