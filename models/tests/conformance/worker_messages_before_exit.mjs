// Nothing that was posted on the worker's own port is lost, and it comes before 'exit'.
import { log, spawn } from './world.mjs'

const worker = spawn(({ parentPort }) => {
  for (const name of ['a', 'b', 'c']) parentPort.postMessage(name)
})
worker.on('message', log)
worker.on('exit', (code) => log(`exit ${code}`))
