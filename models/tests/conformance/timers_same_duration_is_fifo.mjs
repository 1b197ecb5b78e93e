// Timers of one duration run in the order in which they were set.
import { log } from './world.mjs'

for (const name of ['a', 'b', 'c']) setTimeout(() => log(name), 5)
