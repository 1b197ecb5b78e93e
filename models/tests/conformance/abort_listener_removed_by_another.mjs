// A listener that another one removes is not called any more; one that it adds is.
import { log } from './world.mjs'

const controller = new AbortController()
const { signal } = controller
const second = () => log('never')
signal.addEventListener('abort', () => {
  log('first')
  signal.removeEventListener('abort', second)
  signal.addEventListener('abort', () => log('added'))
})
signal.addEventListener('abort', second)
signal.addEventListener('abort', () => log('third'))
controller.abort()
