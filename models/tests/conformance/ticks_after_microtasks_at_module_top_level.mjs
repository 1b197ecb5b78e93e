// A module body runs inside a drain of microtasks, so there it is the other way round.
import { log } from './world.mjs'

process.nextTick(() => log('tick'))
queueMicrotask(() => log('microtask'))
Promise.resolve().then(() => log('promise')).then(() => log('promise 2'))
log('main')
