// What the programs of this folder share: one line of the log, a worker from a function, and a callback that takes its time.
import { Worker } from 'node:worker_threads'

export const log = (line) => console.log(line)

// The function is the worker's whole program; it gets the module worker_threads and nothing from outside.
export const spawn = (body, options = {}) => new Worker(`(${body})(require('node:worker_threads'))`, { eval: true, ...options })

export const block = (ms) => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

// A chain of reactions that logs 1, 2, 3, ... one microtask after the other: the clock that await and then are measured against.
export const clock = (microtasks) => {
  let promise = Promise.resolve()
  for (let i = 1; i <= microtasks; i++) promise = promise.then(() => log(`${i}`))
}
