// An async function that returns a value settles its promise at once.
import { clock, log } from './world.mjs'

const value = async () => 7
const run = async () => log(`got ${await value()}`)
run()
clock(3)
