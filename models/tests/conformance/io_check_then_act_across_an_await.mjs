// Two requests look, wait for the disk, and write: one update is lost.
import { stat } from 'node:fs/promises'
import { log } from './world.mjs'

let count = 0
const request = async (name) => {
  const seen = count
  await stat('/')
  count = seen + 1
  log(`${name} saw ${seen}`)
}
await Promise.all([request('a'), request('b')])
log(`count ${count}`)
