// Two awaits in a row take turns with the clock; promises made before are settled long ago.
import { clock, log } from './world.mjs'

const step = async (name) => {
  await null
  log(name)
}
const sequence = async () => {
  await step('first')
  await step('second')
}
const parallel = async () => {
  const a = step('a')
  const b = step('b')
  await a
  await b
  log('a and b done')
}
sequence()
parallel()
clock(5)
