// notify wakes as many as it is told, the longest waiting first.
import { log } from './world.mjs'

const view = new Int32Array(new SharedArrayBuffer(4))
for (const name of ['a', 'b', 'c']) {
  Atomics.waitAsync(view, 0, 0).value.then((result) => log(`${name} ${result}`))
}
log(`${Atomics.notify(view, 0, 0)}`)
log(`${Atomics.notify(view, 0, 1)}`)
log(`${Atomics.notify(view, 0)}`)
log(`${Atomics.notify(view, 0)}`)
setTimeout(() => log('end'), 50)
