// The child's side of the host: runs one job at a time, and watches its limits from a thread that no job can block.
import { flushCompileCache } from 'node:module'
import { Worker } from 'node:worker_threads'

/** Runs with what the host sends; `ask` sends a question to the host and resolves to its answer. */
export type Job = (input: never, ask: (question: unknown) => Promise<unknown>) => unknown

/** Messages of the host. */
export type ToChild =
  | { job: string; input: unknown; cpuSeconds: number; megabytes: number }
  | { answer: unknown }

/** Messages of the child; `megabytes` are resident when the job is done. */
export type FromChild =
  | { question: unknown }
  | { result: unknown; megabytes: number }
  | { error: unknown; megabytes: number }

/** A line that a child writes before it ends itself: the limit that it exceeded. */
export const limitLine = 'svc-api limit: '

/** Ends the process that exceeds a limit, or whose host is gone. Sleeps while there is no job. */
const guard = `
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

/** Serves the host. Each job's module is loaded at its first use, which counts for no limit but the clock. */
export function serve(jobs: Readonly<Record<string, () => Promise<Job>>>): void {
  /** Number of the running job or 0, milliseconds of CPU time, megabytes. */
  const state = new Int32Array(new SharedArrayBuffer(12))
  const host = Number(process.argv[2])
  new Worker(guard, { eval: true, env: {}, execArgv: [], workerData: { state, host } }).unref()
  /** Jobs whose modules are loaded. */
  const loadedNames = new Set<string>()
  let count = 0
  let answered: (answer: unknown) => void = () => {}

  const loaded = async (name: string) => {
    const job = await jobs[name]?.()
    // Flushed now, because a child ends by a kill. Does nothing without a cache.
    if (!loadedNames.has(name)) flushCompileCache()
    loadedNames.add(name)
    return job
  }
  const begin = (limits: { cpuSeconds: number; megabytes: number }) => {
    state[1] = Math.min(limits.cpuSeconds * 1000, 2 ** 31 - 1)
    state[2] = limits.megabytes
    Atomics.store(state, 0, ++count)
    Atomics.notify(state, 0)
  }
  const tell = (message: FromChild) => process.send?.(message)
  const ask = (question: unknown) =>
    new Promise<unknown>((resolve) => {
      answered = resolve
      tell({ question })
    })

  process.on('disconnect', () => process.exit(0))
  process.on('message', async (message: ToChild) => {
    if ('answer' in message) {
      answered(message.answer)
      return
    }
    const outcome = await (async () => {
      try {
        const job = await loaded(message.job)
        begin(message)
        return { result: await job?.(message.input as never, ask) }
      } catch (error) {
        return { error }
      } finally {
        Atomics.store(state, 0, 0)
        Atomics.notify(state, 0)
      }
    })()
    tell({ ...outcome, megabytes: process.memoryUsage.rss() / 2 ** 20 })
  })
}
