// An async function that returns a rejected promise takes two microtasks more than one that throws.
import { clock, log } from './world.mjs'

const throws = async () => {
  throw new Error('thrown')
}
const returns = async () => Promise.reject(new Error('returned'))
returns().catch((error) => log(error.message))
throws().catch((error) => log(error.message))
clock(4)
