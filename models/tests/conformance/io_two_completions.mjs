// Two completions come in either order.
import { stat } from 'node:fs'
import { log } from './world.mjs'

stat('/', () => log('a'))
stat('/', () => log('b'))
