// A refreshed timer is behind the others of its duration.
import { log } from './world.mjs'

const first = setTimeout(() => log('a'), 5)
setTimeout(() => log('b'), 5)
first.refresh()
