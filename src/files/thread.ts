// A worker thread for checks whose cost a hostile file could drive up: one at a time, with a hard stop for time and memory.
import { Worker } from 'node:worker_threads'
import { fairQueue } from './fair-queue.ts'
import { FileCheckFailed, FileRejected, type RejectionCode } from './rejected.ts'

export interface ThreadOptions {
  /** Milliseconds after which the thread is stopped and the file refused, whatever it waits for. */
  deadline?: number
  /** The same in milliseconds of the cpuTime, so that a busy machine refuses nobody's file. */
  cpuTime?: number
  /** Upper bound of the thread's heap in megabytes; a file that needs more is refused. */
  heap?: number
  /** Bytes of files after which the next one gets a new thread, which gives the memory of the old one back. */
  recycle?: number
  /** Milliseconds without a file after which the thread ends. */
  idle?: number
}

/** A file that waits to be checked. */
export interface Checkable {
  /**
   * Gives the whole file. Called once, and only when it is this file's turn, so that waiting files stay on disk. The bytes go
   * over to the checks: the caller must not use them any more.
   */
  read(): Promise<Uint8Array>
  /** Who sent it, such as the remote address. Clients take turns: one whose files are slow waits behind its own. */
  client?: string | undefined
}

export interface Thread {
  /** Runs a check on the bytes of the file. */
  run<Result>(check: string, file: Checkable): Promise<Result>
  /** Ends the thread; a check under way fails. */
  close(): Promise<void>
}

/** What a worker reports on `{ check, bytes }`: first that it begins, when all that the check needs is loaded. */
export type Report = { begun: true } | (Outcome & { /** Bytes of the heap afterwards. */ heap?: number })

export type Outcome =
  | { result: unknown }
  | { rejected: { message: string; code: RejectionCode } }
  /** The check broke off; the same file would break it again. */
  | { broken: string }
  /** The check could not begin. */
  | { failed: string }

const megabyte = 1024 * 1024
/** A thread whose heap has grown beyond gives it back only by its end. */
const maxKeptHeap = 96 * megabyte
/** How often the time of the cpuTime is looked at. */
const cpuPollInterval = 250
/** How much more time by the clock a check gets, since others use the cpuTime as well. */
const wallClockFactor = 3

/** The thread starts at the first check and again after it ended; while idle it does not keep the process alive. */
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
      // Neither the host's secrets nor its loaders and inspectors belong into the thread.
      env: {},
      execArgv: [],
    })
    // A fault is followed by the end; what comes in between needs a new thread already.
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
      // The worker's file and its caller agree on what each check returns.
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

/** Follows one check up to its report, and stops a worker that does not come to it. */
function watch(
  worker: Worker,
  { deadline, cpuTime }: Limits,
  resolve: (report: Exclude<Report, { begun: true }>) => void,
  reject: (error: Error) => void,
): void {
  let cpuPoll: NodeJS.Timeout | undefined
  let isSettled = false
  const stop = () => {
    if (isSettled) return
    settle()
    void worker.terminate()
    reject(new FileRejected('The file takes too long to check.'))
  }
  const timer = setTimeout(stop, deadline)
  const onMessage = (report: Report) => {
    if ('begun' in report) {
      cpuPoll = watchCpuTime(worker, cpuTime, stop)
      return
    }
    settle()
    resolve(report)
  }
  const onError = (error: Error) => {
    settle()
    reject(asFailure(error))
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

/** Looks at the worker's time of the cpuTime every now and then; a runtime that does not tell it goes by the clock. */
function watchCpuTime(worker: Worker, most: number, stop: () => void): NodeJS.Timeout {
  if (!worker.cpuUsage) return setTimeout(stop, wallClockFactor * most)
  let before: number | undefined
  const look = async () => {
    const { user, system } = await worker.cpuUsage()
    before ??= user + system
    if (user + system - before > most * 1000) stop()
  }
  // A worker that has ended tells nothing any more.
  const lookSafely = () => void look().catch(() => {})
  lookSafely()
  return setInterval(lookSafely, cpuPollInterval)
}

/** Bytes that have their memory to themselves move over; to copy large ones would hold up whoever else is served. */
function handOver(worker: Worker, check: string, bytes: Uint8Array): void {
  const { buffer, byteLength } = bytes
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  try {
    worker.postMessage({ check, bytes }, isOwn ? [buffer] : [])
  } catch {
    // Memory that belongs to native code stays where it is.
    worker.postMessage({ check, bytes })
  }
}

/** Running out of memory or stack is the file's fault and would happen again; any other end of the thread is not. */
function asFailure(error: Error & { code?: string }): Error {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new FileRejected('The file takes too much memory to check.')
  return error.code?.startsWith('ERR_WORKER') ? interrupted(error) : uncheckable(error)
}

/** What went wrong within the thread is for the log alone. */
const uncheckable = (cause: unknown) =>
  new FileRejected('The file is built in a way that cannot be checked.', 'svc_upload_rejected', {
    cause: asError(cause),
  })

const interrupted = (cause?: unknown) =>
  new FileCheckFailed('The check of the file was interrupted.', { cause: asError(cause) })

function asError(cause: unknown): Error | undefined {
  if (typeof cause !== 'string') return cause instanceof Error ? cause : undefined
  const [message = ''] = cause.split('\n', 1)
  return Object.assign(new Error(message.slice(0, 200)), { stack: cause.slice(0, 4000) })
}
