// Anything can be thrown. If the next timer is due, it fires before the ticks of the one that threw.
import { log } from './world.mjs'

process.on('uncaughtException', (value) => log(`uncaught ${value}`))
setTimeout(() => {
  process.nextTick(() => log('tick'))
  throw 42
}, 1)
setTimeout(() => {
  log('timer 2')
  throw 'text'
}, 1)
