// Each timer sets the next one.
import { log } from './world.mjs'

const next = (step) => {
  setTimeout(() => {
    log(`step ${step}`)
    if (step < 4) next(step + 1)
  }, 1)
}
next(1)
