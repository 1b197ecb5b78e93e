// await of a settled promise takes one microtask.
import { clock, log } from './world.mjs'

const run = async () => {
  log('start')
  await Promise.resolve()
  log('after await')
}
run()
clock(3)
