// Promise.all of settled promises takes two microtasks, of nothing one.
import { clock, log } from './world.mjs'

Promise.all([Promise.resolve(1), Promise.resolve(2)]).then(() => log('all of two'))
Promise.all([]).then(() => log('all of none'))
clock(3)
