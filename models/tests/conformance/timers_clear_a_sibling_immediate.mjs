// An immediate clears another one of the same phase.
import { log } from './world.mjs'

const immediates = []
immediates[0] = setImmediate(() => {
  log('a')
  clearImmediate(immediates[1])
})
immediates[1] = setImmediate(() => log('never'))
immediates[2] = setImmediate(() => log('c'))
