// return await costs one microtask, return of the same promise two.
import { clock, log } from './world.mjs'

const direct = async () => Promise.resolve('direct')
const awaited = async () => await Promise.resolve('awaited')
direct().then(log)
awaited().then(log)
clock(4)
