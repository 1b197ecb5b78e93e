// Two of one duration, one of a shorter one in between.
import { block, log } from './world.mjs'

setTimeout(() => log('set first for 4'), 4)
block(Math.random() * 4)
setTimeout(() => log('set second for 2'), 2)
block(Math.random() * 4)
setTimeout(() => log('set third for 4'), 4)
block(Math.random() * 10)
