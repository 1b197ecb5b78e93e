// Three file operations as promises; Promise.all keeps the order of its input.
import { stat } from 'node:fs/promises'
import { log } from './world.mjs'

const one = async (name) => {
  await stat('/')
  log(name)
  return name
}
log((await Promise.all([one('a'), one('b'), one('c')])).join(' '))
