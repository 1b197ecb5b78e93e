// The listener rejects the promise; who awaits it goes on in a microtask.
import { log } from './world.mjs'

const wait = (signal) =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => {
      log('listener')
      reject(signal.reason)
    })
  })
const controller = new AbortController()
const run = async () => {
  try {
    await wait(controller.signal)
  } catch (error) {
    log(`caught ${error.message}`)
  }
}
run()
setImmediate(() => {
  controller.abort(new Error('stop'))
  log('abort returned')
})
