// A child process that dies, loops or allocates memory on demand.
import { serve } from '../../../src/workers/child.ts'

const job = (work: (input: string, ask: (question: unknown) => Promise<unknown>) => unknown) => async () =>
  work

serve({
  length: job((input) => input.length),
  pid: job(() => process.pid),
  environment: job(() => Object.keys(process.env)),
  ask: job((input, ask) => ask(input)),
  exit: job(() => process.exit(1)),
  crash: job((signal) => {
    process.kill(process.pid, signal)
    return new Promise(() => {})
  }),
  write: job((input) => process.stderr.write(input)),
  throw: job(() => {
    throw new Error('a fault')
  }),
  busy: job((milliseconds) => {
    for (const end = performance.now() + Number(milliseconds); performance.now() < end; ) Math.random()
    return 'done'
  }),
  loop: job(() => {
    for (;;) Math.random()
  }),
  heap: job(() => {
    for (const eaten: unknown[] = []; ; ) eaten.push(Array(1e6).fill(eaten.length))
  }),
  native: job(() => {
    for (const eaten: unknown[] = []; ; ) eaten.push(Buffer.alloc(10_000_000, 1))
  }),
  send: job((message) => {
    process.send?.(message)
    return new Promise(() => {})
  }),
  missing: () => import('./no-such-module.ts' as string),
})
