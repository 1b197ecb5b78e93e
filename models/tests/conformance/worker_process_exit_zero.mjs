// process.exit(0): code 0, as if the loop had run dry.
import { log, spawn } from './world.mjs'

const worker = spawn(({ parentPort }) => {
  parentPort.on('message', () => process.exit(0))
})
worker.on('error', () => log('never'))
worker.on('exit', (code) => log(`exit ${code}`))
worker.postMessage('end')
