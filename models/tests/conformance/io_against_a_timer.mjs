// A completion and a timer of 1 ms come in either order.
import { stat } from 'node:fs'
import { log } from './world.mjs'

setTimeout(() => log('timer'), 1)
stat('/', () => log('io'))
