// Code behind an await whose promise is resolved by a tick runs before the next tick batch is left: ticks first, then microtasks.
import { log } from './world.mjs'

setImmediate(() => {
  const run = async () => {
    await new Promise((resolve) => process.nextTick(resolve))
    log('resumed')
  }
  run()
  process.nextTick(() => log('tick 2'))
  queueMicrotask(() => log('microtask'))
})
