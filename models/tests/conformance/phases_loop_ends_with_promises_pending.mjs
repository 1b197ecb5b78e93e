// A promise keeps nothing alive: what waits for it never goes on, and that is no error.
import { log } from './world.mjs'

const forever = new Promise(() => {})
const wait = async () => {
  log('waits')
  await forever
  log('never')
}
wait()
process.on('exit', (code) => log(`exit ${code}`))
