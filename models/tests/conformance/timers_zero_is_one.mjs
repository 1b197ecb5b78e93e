// 0 ms and 1 ms are the same duration, so are negative and missing ones.
import { log } from './world.mjs'

setTimeout(() => log('1'), 1)
setTimeout(() => log('0'), 0)
setTimeout(() => log('-5'), -5)
setTimeout(() => log('none'))
setTimeout(() => log('1 again'), 1)
