// Serves jobs in a child process of host.ts, one at a time. A thread that no job can block ends the process at the job's limits.
import { flushCompileCache } from 'node:module'
import { Worker } from 'node:worker_threads'

/**
 * A function that a child runs for the host. `input` is what the caller of `Host.run` passed; `ask` sends a question to the host
 * and resolves to its answer, one question at a time. The result must be cloneable (structured clone).
 */
export type Job = (input: never, ask: (question: unknown) => Promise<unknown>) => unknown

/** Messages of the host: a job with its limits, or the answer to the last question. */
export type ToChild =
  | { job: string; input: unknown; cpuSeconds: number; megabytes: number }
  | { answer: unknown }

/** Messages of the child: a question, or the outcome of the job with the resident megabytes of the process. */
export type FromChild =
  | { question: unknown }
  | { result: unknown; megabytes: number }
  | { error: unknown; megabytes: number }

/** A child that ends itself writes this to its error output, followed by the limit: `time` or `memory`. */
export const limitLine = 'svc-api limit: '

/**
 * The program of the watching thread. It sleeps while `state[0]` (the number of the job) is 0. While a job runs it looks every
 * 100 ms: it kills the process when the host is gone, when the job has used more CPU time than `state[1]` (milliseconds), or
 * when the process is larger than `state[2]` (megabytes).
 */
const limitWatcher = `
const { writeSync } = require('node:fs')
const { workerData: { state, host } } = require('node:worker_threads')
const milliseconds = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
const end = (limit) => {
  try { writeSync(2, '\\n${limitLine}' + limit + '\\n') } catch {}
  process.kill(process.pid, 'SIGKILL')
}
for (;;) {
  Atomics.wait(state, 0, 0)
  const job = Atomics.load(state, 0)
  const before = milliseconds()
  while (job !== 0 && Atomics.load(state, 0) === job) {
    if (process.ppid !== host) process.kill(process.pid, 'SIGKILL')
    if (milliseconds() - before > state[1]) end('time')
    if (process.memoryUsage.rss() > state[2] * 2 ** 20) end('memory')
    Atomics.wait(state, 0, job, 100)
  }
}`

/**
 * Serves the host until it disconnects or kills this process; each script of children calls it once.
 * @param jobs imports each job's function by its name, before each job; importing counts for the wall-clock limit only
 */
export function serve(jobs: Readonly<Record<string, () => Promise<Job>>>): void {
  const watch = watchedLimits()
  const loadedNames = new Set<string>()
  /** Resolves the promise of the last question. */
  let onAnswer: (answer: unknown) => void = () => {}

  const load = async (name: string) => {
    const job = await jobs[name]?.()
    // Node writes its compile cache, if it has one, at a normal exit only, but a child ends by a kill.
    if (!loadedNames.has(name)) flushCompileCache()
    loadedNames.add(name)
    return job
  }
  const send = (message: FromChild) => process.send?.(message)
  const ask = (question: unknown) =>
    new Promise<unknown>((resolve) => {
      onAnswer = resolve
      send({ question })
    })
  const outcomeOf = async ({ job: name, input, ...limits }: JobMessage) => {
    try {
      const job = await load(name)
      watch.begin(limits)
      // The caller of `Host.run` and the job agree on the type of the input.
      return { result: await job?.(input as never, ask) }
    } catch (error) {
      return { error }
    } finally {
      watch.end()
    }
  }

  process.on('disconnect', () => process.exit(0))
  process.on('message', async (message: ToChild) => {
    if ('answer' in message) onAnswer(message.answer)
    else send({ ...(await outcomeOf(message)), megabytes: process.memoryUsage.rss() / 2 ** 20 })
  })
}

type JobMessage = Extract<ToChild, { job: string }>

/** Starts the watching thread, which watches from `begin` to `end`. The shared memory is described at `limitWatcher`. */
function watchedLimits() {
  const state = new Int32Array(new SharedArrayBuffer(12))
  const host = Number(process.argv[2])
  new Worker(limitWatcher, { eval: true, env: {}, execArgv: [], workerData: { state, host } }).unref()
  let lastJob = 0
  const setJob = (job: number) => {
    Atomics.store(state, 0, job)
    Atomics.notify(state, 0)
  }
  return {
    begin(limits: Pick<JobMessage, 'cpuSeconds' | 'megabytes'>) {
      state[1] = Math.min(limits.cpuSeconds * 1000, 2 ** 31 - 1)
      state[2] = limits.megabytes
      setJob(++lastJob)
    },
    end: () => setJob(0),
  }
}
