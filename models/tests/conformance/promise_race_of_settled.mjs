// Of settled promises the first in the list wins; a race of none never settles.
import { clock, log } from './world.mjs'

Promise.race([]).then(() => log('never'))
Promise.race([Promise.resolve('a'), Promise.resolve('b')]).then(log)
clock(3)
