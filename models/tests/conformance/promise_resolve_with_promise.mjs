// resolve(promise) takes two microtasks more than resolve(value); Promise.resolve(promise) is that promise.
import { clock, log } from './world.mjs'

const settled = Promise.resolve('v')
new Promise((resolve) => resolve(settled)).then(() => log('resolved with a promise'))
new Promise((resolve) => resolve('v')).then(() => log('resolved with a value'))
Promise.resolve(settled).then(() => log('Promise.resolve'))
clock(3)
