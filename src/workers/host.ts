// Runs jobs in child processes: warm ones, at most so many, each ended after a number of jobs, after a while without one, and
// at once when a job exceeds its limits. A fault in native code ends a child and never the host.
import { type ChildProcess, fork } from 'node:child_process'
import { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { execArguments } from '../core/installed.ts'
import { type FromChild, limitLine, type ToChild } from './child.ts'
import { fairQueue } from './fair-queue.ts'

export interface HostOptions {
  /** The script of the children, which calls `serve`. */
  script: URL
  /** Children at once. */
  most: number
  /** Megabytes of the heap of a child. */
  heap: number
  /** Jobs after which a child ends; default 100. */
  jobs?: number
  /** Resident megabytes after a job with which a child ends, since only that releases the memory; default 320. */
  keptMegabytes?: number
  /** Milliseconds without a job after which a child ends; default 20,000. */
  idle?: number
  /** How much lower the priority of a child is than the host's; default 0. */
  niceness?: number
}

export interface Run {
  limits: Limits
  /** Clients take turns, so that slow jobs delay only the client that sent them. */
  client?: string | undefined
  /** Ends the job with its reason. */
  signal?: AbortSignal
  /** Answers the questions of the job; aborted when the job ends. */
  answer?: (question: never, ending: AbortSignal) => Promise<unknown>
}

export interface Host {
  /**
   * Runs a job when it is its client's turn.
   * @param input called once, and only then, so that what waits takes no memory
   * @throws JobEnded, what `input` or the job throws, or the signal's reason
   */
  run(job: string, input: () => unknown, run: Run): Promise<unknown>
  /** Ends all children; running jobs fail. The next job starts new ones. */
  close(): void
}

/** A child process and its counters. */
interface Worker {
  child: ChildProcess
  jobs: number
  /** The end of its error output. */
  written: string
  timer: NodeJS.Timeout | undefined
}

const maxWritten = 2000

/**
 * For native libraries, which without these would spend many times the CPU time of a drawing's filters: threads of librsvg on
 * waiting for each other, and the allocator of glibc on returning the memory of each layer. In one arena it takes half as much
 * for several jobs.
 */
export const nativeSettings = {
  RAYON_NUM_THREADS: '1',
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '200000000',
  MALLOC_TRIM_THRESHOLD_: '200000000',
}

/** Creates a host, whose children start with the first jobs. Idle ones do not keep the process alive. */
export function workerHost(options: HostOptions): Host {
  const { most, jobs: maxJobs = 100, keptMegabytes = 320, idle = 20_000 } = options
  const turn = fairQueue(most)
  const all = new Set<Worker>()
  const free: Worker[] = []

  function taken(): Worker {
    // The child that was used last, so that children started for a peak stay idle and end.
    const worker = free.pop() ?? started(options)
    clearTimeout(worker.timer)
    if (!all.has(worker)) worker.child.once('exit', () => forget(worker))
    all.add(worker)
    hold(worker, true)
    return worker
  }

  function forget(worker: Worker): void {
    clearTimeout(worker.timer)
    all.delete(worker)
    const at = free.indexOf(worker)
    if (at >= 0) free.splice(at, 1)
  }

  function end(worker: Worker): void {
    forget(worker)
    // Not `disconnect`: after it Node would not emit the end of the child's error output.
    worker.child.kill('SIGKILL')
  }

  function release(worker: Worker, megabytes: number): void {
    if (!all.has(worker) || ++worker.jobs >= maxJobs || megabytes > keptMegabytes) {
      end(worker)
      return
    }
    hold(worker, false)
    worker.timer = setTimeout(() => end(worker), idle).unref()
    free.push(worker)
  }

  async function runOne(job: string, input: unknown, run: Run): Promise<unknown> {
    run.signal?.throwIfAborted()
    const worker = taken()
    try {
      const { megabytes, ...outcome } = await outcomeOf(worker, job, input, run)
      release(worker, megabytes)
      if ('error' in outcome) throw outcome.error
      return outcome.result
    } catch (error) {
      if (!free.includes(worker)) end(worker)
      throw error
    }
  }

  return {
    run: (job, input, run) => turn(async () => runOne(job, await input(), run), run.client),
    close() {
      for (const worker of all) end(worker)
    },
  }
}

function started({ script, heap, niceness = 0 }: HostOptions): Worker {
  // Node's compile cache, if this process has one: it saves half of the time that a child takes to start.
  const { NODE_COMPILE_CACHE } = process.env
  const child = fork(script, [String(process.pid)], {
    // Without the host's environment, which may contain secrets, and without its loaders and inspectors.
    env: { ...nativeSettings, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) },
    execArgv: [...execArguments(), `--max-old-space-size=${heap}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  })
  const worker: Worker = { child, jobs: 0, written: '', timer: undefined }
  child.stderr?.on('data', (chunk: Buffer) => {
    worker.written = (worker.written + chunk.toString()).slice(-maxWritten)
  })
  // Without a listener, an error of a child that is being ended would crash the host.
  child.on('error', () => {})
  if (niceness > 0 && child.pid !== undefined) lower(child.pid, niceness)
  return worker
}

function lower(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness)
  } catch {
    // It may have exited already, or the system does not allow it.
  }
}

/** Whether the child keeps this process alive. */
function hold({ child }: Worker, isHeld: boolean): void {
  const method = isHeld ? 'ref' : 'unref'
  child[method]()
  child.channel?.[method]()
  if (child.stderr instanceof Socket) child.stderr[method]()
}

/** Sends the job and waits for its outcome, or for the end of the child. */
async function outcomeOf(
  worker: Worker,
  job: string,
  input: unknown,
  { limits, signal, answer }: Run,
): Promise<Exclude<FromChild, { question: unknown }>> {
  const { child } = worker
  const { seconds, cpuSeconds = seconds, megabytes } = limits
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof outcomeOf>>>()
  const ending = new AbortController()
  const tell = (message: ToChild) => child.connected && child.send(message, () => {})
  const onMessage = (message: FromChild) => {
    if (!('question' in message)) resolve(message)
    else if (answer)
      answer(message.question as never, ending.signal).then((reply) => tell({ answer: reply }), reject)
  }
  // Follows the end of the error output.
  const onClose = (_code: number | null, by: NodeJS.Signals | null) =>
    reject(new JobEnded(reasonOf(by, worker.written), worker.written))
  const onError = (error: Error) => reject(new JobEnded('interrupted', error.message))
  const onAbort = () => reject(signal?.reason)
  const timer = setTimeout(() => reject(new JobEnded('time')), seconds * 1000)
  worker.written = ''
  child.on('message', onMessage).on('close', onClose).on('error', onError)
  signal?.addEventListener('abort', onAbort)
  try {
    tell({ job, input, cpuSeconds, megabytes })
    return await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    child.off('message', onMessage).off('close', onClose).off('error', onError)
    ending.abort(new Error('The job has ended.'))
  }
}

export interface Limits {
  /** Wall-clock time, with the time that the child takes to start. */
  seconds: number
  /** CPU time of the job, so that a busy machine fails no good one. Default: as many seconds as by the clock. */
  cpuSeconds?: number
  /** Resident memory of the whole child. */
  megabytes: number
}

/** Why the child ended: the limit it exceeded, a crash of its own, or anything that was not the job's fault. */
type Reason = 'time' | 'memory' | 'crashed' | 'interrupted'

/** The child ended without a result. What it wrote is only for the log. */
export class JobEnded extends Error {
  override readonly name = 'JobEnded'
  readonly reason: Reason

  constructor(reason: Reason, written = '') {
    super(`The child process ended (${reason}). ${written}`.trim())
    this.reason = reason
  }
}

/** Signals of faults in native code; V8 ends in one of them when its heap is full. */
const faults = new Set(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGABRT', 'SIGFPE', 'SIGTRAP', 'SIGSYS'])

/** @param written the end of the child's error output */
function reasonOf(signal: NodeJS.Signals | null, written: string): Reason {
  if (written.includes(`${limitLine}time`)) return 'time'
  if (written.includes(`${limitLine}memory`) || written.includes('heap out of memory')) return 'memory'
  return signal !== null && faults.has(signal) ? 'crashed' : 'interrupted'
}
