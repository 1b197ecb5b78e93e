// The first rejection counts; the others are handled, and work goes on behind it.
import { log } from './world.mjs'

process.on('unhandledRejection', () => log('unhandled'))
const job = async (name, fails) => {
  await null
  log(`${name} runs`)
  if (fails) throw new Error(`${name} failed`)
}
Promise.all([job('a', false), job('b', true), job('c', true)]).catch((error) => log(error.message))
