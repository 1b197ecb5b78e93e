// What the last listener adds is not called.
import { log } from './world.mjs'

const controller = new AbortController()
const { signal } = controller
signal.addEventListener('abort', () => {
  log('last')
  signal.addEventListener('abort', () => log('never'))
})
controller.abort()
