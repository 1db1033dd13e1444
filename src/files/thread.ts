// A worker thread for checks that a hostile file could make expensive: one at a time, with hard limits on time and memory.
import { Worker } from 'node:worker_threads'
import { execArguments } from '../core/installed.ts'
import { fairQueue } from './fair-queue.ts'
import { FileCheckFailed, FileRejected, type RejectionCode } from './rejected.ts'

export interface ThreadOptions {
  /** Milliseconds after which the thread is terminated and the file rejected, even if it only waits. Default 30,000. */
  deadline?: number
  /** The same in milliseconds of CPU time, so that a busy machine rejects no good file. Default 3000. */
  cpuTime?: number
  /** The largest heap of the thread in megabytes; a file that needs more is rejected. Default 160. */
  heap?: number
  /** Bytes of checked files after which the next file gets a new thread, to release the old one's memory. Default 64 MB. */
  recycle?: number
  /** Milliseconds without a file after which the thread ends. Default 20,000. */
  idle?: number
}

/** A file that is waiting to be checked. */
export interface Checkable {
  /**
   * Reads the whole file. Called once, and only when it is this file's turn, so that waiting files stay on disk. The bytes are
   * transferred to the thread: the caller must not use them afterwards.
   */
  read(): Promise<Uint8Array>
  /** Who sent it, e.g. the remote address. Clients take turns, so that slow files delay only the client that sent them. */
  client?: string | undefined
}

interface Thread {
  /** Runs a check on the bytes of the file. Throws FileRejected or FileCheckFailed. */
  run<Result>(check: string, file: Checkable): Promise<Result>
  /** Terminates the thread; a running check fails. */
  close(): Promise<void>
}

/** What a worker reports for `{ check, bytes }`: first that it begins, once everything that the check needs is loaded. */
export type Report =
  | { begun: true }
  | (Outcome & { /** Size of the heap afterwards, in bytes. */ heap?: number })

export type Outcome =
  | { result: unknown }
  | { rejected: { message: string; code: RejectionCode } }
  /** The check crashed; the same file would crash it again. */
  | { broken: string }
  /** The check could not start. */
  | { failed: string }

const megabyte = 1024 * 1024
/** Bytes. A thread with a larger heap is terminated, since only that releases the memory. */
const maxKeptHeap = 96 * megabyte
/** Milliseconds between two readings of the CPU time. */
const cpuPollInterval = 250
/** How much longer than its CPU time a check may take by the clock, where CPU time is not available. */
const wallClockFactor = 3

/** Creates a thread that starts with the first check, and again after it ended. An idle one does not keep the process alive. */
export function thread(
  file: URL,
  {
    deadline = 30_000,
    cpuTime = 3000,
    heap = 160,
    recycle = 64 * megabyte,
    idle = 20_000,
  }: ThreadOptions = {},
): Thread {
  const turn = fairQueue(1)
  let worker: Worker | undefined
  let checked = 0
  let pending = 0
  let idleTimer: NodeJS.Timeout | undefined

  const start = () => {
    checked = 0
    const started = new Worker(file, {
      resourceLimits: { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
      // The host's secrets, loaders and inspectors must not reach the thread.
      env: {},
      execArgv: execArguments(),
    })
    // `error` is followed by `exit`; a check that arrives in between already needs a new thread.
    const forget = () => {
      if (worker === started) worker = undefined
    }
    started.on('error', forget).on('exit', forget)
    return started
  }

  const end = async () => {
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }

  const runCheck = (check: string, bytes: Uint8Array) =>
    new Promise<Outcome>((resolve, reject) => {
      worker ??= start()
      const current = worker
      checked += bytes.byteLength
      const onReport = ({ heap = 0, ...outcome }: Outcome & { heap?: number }) => {
        if (heap > maxKeptHeap) checked = recycle
        resolve(outcome)
      }
      watch(current, { deadline, cpuTime }, onReport, (error) => {
        if (worker === current) worker = undefined
        reject(error)
      })
      current.ref()
      handOver(current, check, bytes)
    })

  const checkOne = async (check: string, bytes: Uint8Array): Promise<Outcome> => {
    try {
      return await runCheck(check, bytes)
    } finally {
      if (checked >= recycle) await end()
    }
  }

  return {
    async run<Result>(check: string, { read, client }: Checkable) {
      clearTimeout(idleTimer)
      pending++
      const report = await turn(async () => checkOne(check, await read()), client).finally(() => {
        if (--pending === 0) idleTimer = setTimeout(end, idle).unref()
      })
      if ('rejected' in report) throw new FileRejected(report.rejected.message, report.rejected.code)
      if ('broken' in report) throw uncheckable(report.broken)
      if ('failed' in report) throw interrupted(report.failed)
      // The worker and its caller agree on what each check returns.
      return ('result' in report ? report.result : undefined) as Result
    },
    async close() {
      clearTimeout(idleTimer)
      await end()
    },
  }
}

interface Limits {
  deadline: number
  cpuTime: number
}

/** Waits for the report of one check, and terminates a worker that exceeds its limits. */
function watch(
  worker: Worker,
  { deadline, cpuTime }: Limits,
  resolve: (report: Exclude<Report, { begun: true }>) => void,
  reject: (error: Error) => void,
): void {
  let cpuPoll: NodeJS.Timeout | undefined
  let isSettled = false
  let hasBegun = false
  const stop = () => {
    if (isSettled) return
    settle()
    void worker.terminate()
    reject(new FileRejected('The file takes too long to check.'))
  }
  const timer = setTimeout(stop, deadline)
  const onMessage = (report: Report) => {
    if ('begun' in report) {
      hasBegun = true
      cpuPoll = watchCpuTime(worker, cpuTime, stop)
      return
    }
    settle()
    resolve(report)
  }
  const onError = (error: Error) => {
    settle()
    reject(asFailure(error, hasBegun))
  }
  const onExit = () => {
    settle()
    reject(interrupted())
  }
  const settle = () => {
    isSettled = true
    clearTimeout(timer)
    clearInterval(cpuPoll)
    worker.off('message', onMessage).off('error', onError).off('exit', onExit)
    worker.unref()
  }
  worker.on('message', onMessage).on('error', onError).on('exit', onExit)
}

/** Polls the worker's CPU time; a runtime that does not report it falls back to the clock. */
function watchCpuTime(worker: Worker, most: number, stop: () => void): NodeJS.Timeout {
  if (!worker.cpuUsage) return setTimeout(stop, wallClockFactor * most)
  let before: number | undefined
  const look = async () => {
    const { user, system } = await worker.cpuUsage()
    before ??= user + system
    if (user + system - before > most * 1000) stop()
  }
  // A worker that has exited no longer reports its CPU time.
  const lookSafely = () => void look().catch(() => {})
  lookSafely()
  return setInterval(lookSafely, cpuPollInterval)
}

/** Transfers bytes that own their memory: copying large ones would block other requests. */
function handOver(worker: Worker, check: string, bytes: Uint8Array): void {
  const { buffer, byteLength } = bytes
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  try {
    worker.postMessage({ check, bytes }, isOwn ? [buffer] : [])
  } catch {
    // Memory owned by native code cannot be transferred.
    worker.postMessage({ check, bytes })
  }
}

/** Running out of memory or stack is the file's fault and would happen again; a thread that cannot start, or exits, is not. */
function asFailure(error: Error & { code?: string }, hasBegun: boolean): Error {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new FileRejected('The file takes too much memory to check.')
  return !hasBegun || error.code?.startsWith('ERR_WORKER') ? interrupted(error) : uncheckable(error)
}

/** What went wrong inside the thread is only logged. */
const uncheckable = (cause: unknown) =>
  new FileRejected('The file has an unexpected structure and cannot be checked.', 'svc_upload_rejected', {
    cause: asError(cause),
  })

const interrupted = (cause?: unknown) =>
  new FileCheckFailed('The check of the file was interrupted.', { cause: asError(cause) })

function asError(cause: unknown): Error | undefined {
  if (typeof cause !== 'string') return cause instanceof Error ? cause : undefined
  const [message = ''] = cause.split('\n', 1)
  return Object.assign(new Error(message.slice(0, 200)), { stack: cause.slice(0, 4000) })
}
