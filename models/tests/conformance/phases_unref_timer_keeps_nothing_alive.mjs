// The loop ends when nothing that is left keeps it alive.
import { log } from './world.mjs'

setTimeout(() => log('never'), 100).unref()
setTimeout(() => log('timer'), 1)
process.on('exit', (code) => log(`exit ${code}`))
