// clearTimeout and clearInterval are the same function.
import { log } from './world.mjs'

const interval = setInterval(() => log('never'), 1)
const timeout = setTimeout(() => log('never'), 1)
clearTimeout(interval)
clearInterval(timeout)
setTimeout(() => log('end'), 5)
