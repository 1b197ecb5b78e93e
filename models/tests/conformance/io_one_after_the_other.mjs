// Awaited one after the other there is one order.
import { stat } from 'node:fs/promises'
import { log } from './world.mjs'

for (const name of ['a', 'b', 'c']) {
  await stat('/')
  log(name)
}
