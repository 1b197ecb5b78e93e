// An async function that returns a promise takes two microtasks more than one that returns a value.
import { clock, log } from './world.mjs'

const promise = async () => Promise.resolve(7)
const run = async () => log(`got ${await promise()}`)
run()
clock(4)
