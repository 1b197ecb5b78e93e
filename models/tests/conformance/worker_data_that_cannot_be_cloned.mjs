// workerData that cannot be cloned throws in the constructor.
import { log, spawn } from './world.mjs'

try {
  spawn(() => {}, { workerData: { job: () => {} } })
} catch (error) {
  log(error.name)
}
