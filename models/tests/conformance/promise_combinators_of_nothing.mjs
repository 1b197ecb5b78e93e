// Of nothing: all and allSettled are fulfilled already, any is rejected, race never settles.
import { clock, log } from './world.mjs'

Promise.race([]).then(() => log('never'))
Promise.all([]).then((values) => log(`all ${values.length}`))
Promise.allSettled([]).then((outcomes) => log(`settled ${outcomes.length}`))
Promise.any([]).catch((error) => log(`${error.name} ${error.errors.length}`))
clock(3)
