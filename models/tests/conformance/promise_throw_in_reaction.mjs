// A reaction that throws rejects the promise of its then().
import { log } from './world.mjs'

Promise.resolve()
  .then(() => {
    throw new Error('no')
  })
  .then(
    () => log('never'),
    (error) => log(`caught ${error.message}`)
  )
