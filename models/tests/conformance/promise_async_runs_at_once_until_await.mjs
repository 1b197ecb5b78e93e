// An async function runs like any function until its first await.
import { log } from './world.mjs'

const run = async (name) => {
  log(`${name} 1`)
  await null
  log(`${name} 2`)
  await null
  log(`${name} 3`)
}
log('before')
run('a')
run('b')
log('after')
