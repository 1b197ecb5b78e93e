// Each level of async that awaits the next one costs one microtask.
import { clock, log } from './world.mjs'

const inner = async () => log('inner')
const middle = async () => {
  await inner()
  log('middle')
}
const outer = async () => {
  await middle()
  log('outer')
}
outer()
clock(4)
