// await of a plain value takes one microtask, too.
import { clock, log } from './world.mjs'

const run = async () => {
  log(`got ${await 7}`)
  log(`got ${await 8}`)
}
run()
clock(3)
