// Instances of classes are cloned without an error, and lose prototype and methods.
import { MessageChannel } from 'node:worker_threads'
import { log } from './world.mjs'

class Job {
  constructor(name) {
    this.name = name
  }
  run() {}
}
const { port1, port2 } = new MessageChannel()
port2.on('message', (job) => {
  log(`name ${job.name}`)
  log(`instance of Job ${job instanceof Job}`)
  log(`run is ${typeof job.run}`)
  port2.close()
})
port1.postMessage(new Job('a'))
