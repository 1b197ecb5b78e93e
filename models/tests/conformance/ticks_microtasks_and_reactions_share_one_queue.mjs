// queueMicrotask and reactions of promises are one queue, first in, first out.
import { log } from './world.mjs'

const settled = Promise.resolve()
queueMicrotask(() => log('microtask 1'))
settled.then(() => log('reaction 1'))
queueMicrotask(() => log('microtask 2'))
settled.then(() => log('reaction 2'))
