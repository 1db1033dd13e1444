// Runs jobs in child processes, a limited number at once. Children stay warm for the next job; one ends after a number of jobs,
// when it is idle for a while, and at once when a job exceeds its limits. A fault in native code ends a child, never the host.
import { type ChildProcess, fork } from 'node:child_process'
import { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { membersOf } from '../core/foreign.ts'
import { execArguments } from '../core/installed.ts'
import { type FromChild, limitLine, type ToChild } from './child.ts'
import { fairQueue } from './fair-queue.ts'

/** How a host starts and ends its children. */
export interface HostOptions {
  /** The script of the children, which calls `serve` of child.ts. */
  script: URL
  /** Maximum number of children at once. */
  maxChildren: number
  /** Megabytes of the JavaScript heap of a child. */
  heap: number
  /** Jobs after which a child ends; default 100. */
  maxJobs?: number
  /** A child with more resident megabytes after a job ends, since only that releases the memory; default 320. */
  maxIdleMegabytes?: number
  /** Milliseconds without a job after which a child ends; default 20,000. */
  idle?: number
  /** The nice value of a child (`os.setPriority`, 0 to 19), whatever the host's is; default 0: that of the host. */
  niceness?: number
}

/** How one job runs. */
export interface Run {
  limits: Limits
  /** Who sent it: a free child goes to the client that has used the least time (fair-queue.ts). */
  client?: string | undefined
  /** Ends the job: `run` rejects with the signal's reason. A job in the queue rejects only once it has left it and `input` was read. */
  signal?: AbortSignal
  /** Answers the questions of the job; `jobEnd` is aborted when the job ends. If it rejects, so does `run`. */
  answer?: (question: never, jobEnd: AbortSignal) => Promise<unknown>
}

/** Runs jobs in its children. */
export interface Host {
  /**
   * Runs a job as soon as a child is free for its client, and resolves to its result.
   * @param job a name that the script passes to `serve`
   * @param input returns the input of the job; called when the job leaves the queue, so that waiting jobs take no memory
   * @throws JobEnded, what `input` or the job throws, the signal's reason, or SvcError 503 if too many jobs wait
   */
  run(job: string, input: () => unknown, run: Run): Promise<unknown>
  /** Ends all children; running jobs fail. Jobs in the queue and later ones start new children. */
  close(): void
}

/** A child process and its counters. */
interface Worker {
  child: ChildProcess
  /** How many jobs it has run. */
  jobs: number
  /** The last `maxErrorOutput` characters of its error output during the current job. */
  errorOutput: string
  /** Ends it when it is idle for too long. */
  idleTimer: NodeJS.Timeout | undefined
}

const maxErrorOutput = 2000

/**
 * Environment variables of the children for native libraries. Without them drawings with filters take many times the CPU time:
 * threads of librsvg wait for each other, and glibc returns the memory of each layer to the system. One arena of glibc halves
 * the memory of a child after several jobs.
 */
export const nativeSettings = {
  RAYON_NUM_THREADS: '1',
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '200000000',
  MALLOC_TRIM_THRESHOLD_: '200000000',
}

/** Creates a host, whose children start with the first jobs. Idle ones do not keep the process alive. */
export function workerHost(options: HostOptions): Host {
  const { maxChildren, maxJobs = 100, maxIdleMegabytes = 320, idle = 20_000 } = options
  const queued = fairQueue(maxChildren)
  const workers = new Set<Worker>()
  /** Children without a job, the one used last at the end. */
  const idleWorkers: Worker[] = []

  /** A child for a job: the idle one that was used last, so that children started for a peak stay idle and end, or a new one. */
  function take(): Worker {
    const worker = idleWorkers.pop() ?? start(options)
    clearTimeout(worker.idleTimer)
    if (!workers.has(worker)) worker.child.once('exit', () => forget(worker))
    workers.add(worker)
    setKeepsAlive(worker, true)
    return worker
  }

  function forget(worker: Worker): void {
    clearTimeout(worker.idleTimer)
    workers.delete(worker)
    const index = idleWorkers.indexOf(worker)
    if (index >= 0) idleWorkers.splice(index, 1)
  }

  function end(worker: Worker): void {
    forget(worker)
    // Not `disconnect`: after it Node would not emit the end of the child's error output.
    worker.child.kill('SIGKILL')
  }

  /** Keeps the child for the next job, or ends it if it has run enough jobs, takes too much memory or has ended. */
  function release(worker: Worker, megabytes: number): void {
    if (!workers.has(worker) || ++worker.jobs >= maxJobs || megabytes > maxIdleMegabytes) {
      end(worker)
      return
    }
    setKeepsAlive(worker, false)
    worker.idleTimer = setTimeout(() => end(worker), idle).unref()
    idleWorkers.push(worker)
  }

  async function runOne(job: string, input: unknown, run: Run): Promise<unknown> {
    run.signal?.throwIfAborted()
    const worker = take()
    try {
      const { megabytes, ...outcome } = await outcomeOf(worker, job, input, run)
      release(worker, megabytes)
      if ('error' in outcome) throw outcome.error
      return outcome.result
    } catch (error) {
      // A child that was not released still runs the job, or has ended.
      if (!idleWorkers.includes(worker)) end(worker)
      throw error
    }
  }

  return {
    run: (job, input, run) => queued(async () => runOne(job, await input(), run), run.client),
    close() {
      for (const worker of workers) end(worker)
    },
  }
}

/** Starts a child process and collects its error output. */
function start({ script, heap, niceness = 0 }: HostOptions): Worker {
  // Node's compile cache, if this process has one: it saves half of the time that a child takes to start.
  const { NODE_COMPILE_CACHE } = process.env
  const child = fork(script, [String(process.pid)], {
    // Without the host's environment, which may contain secrets, and without its loaders and inspectors.
    env: { ...nativeSettings, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) },
    execArgv: [...execArguments(), `--max-old-space-size=${heap}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  })
  const worker: Worker = { child, jobs: 0, errorOutput: '', idleTimer: undefined }
  child.stderr?.on('data', (chunk: Buffer) => {
    worker.errorOutput = (worker.errorOutput + chunk.toString()).slice(-maxErrorOutput)
  })
  // Without a listener, an error of a child that is being ended would crash the host.
  child.on('error', () => {})
  if (niceness > 0 && child.pid !== undefined) lowerPriority(child.pid, niceness)
  return worker
}

function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness)
  } catch {
    // It may have exited already, or the system does not allow it.
  }
}

/** Sets whether the child and its channels keep this process alive: while it runs a job, but not while it is idle. */
function setKeepsAlive({ child }: Worker, keepsAlive: boolean): void {
  const method = keepsAlive ? 'ref' : 'unref'
  child[method]()
  child.channel?.[method]()
  if (child.stderr instanceof Socket) child.stderr[method]()
}

type JobOutcome = Exclude<FromChild, { question: unknown }>

/** Sends the job, answers its questions, and resolves to its outcome. @throws JobEnded when the child ends or the time is over */
async function outcomeOf(
  worker: Worker,
  job: string,
  input: unknown,
  { limits, signal, answer }: Run,
): Promise<JobOutcome> {
  const { child } = worker
  const { seconds, cpuSeconds = seconds, megabytes } = limits
  const { promise, resolve, reject } = Promise.withResolvers<JobOutcome>()
  const jobEnd = new AbortController()
  const send = (message: ToChild) => child.connected && child.send(message, () => {})
  const onMessage = (message: unknown) => {
    // The job and its caller agree on the type of the questions.
    if (isQuestion(message))
      answer?.(message.question as never, jobEnd.signal).then((reply) => send({ answer: reply }), reject)
    else if (isOutcome(message)) resolve(message)
    // Code that a file brought into the child may send anything, and an error here would end the host.
    else reject(new JobEnded('crashed', 'It sent a message that no job sends.'))
  }
  // Node emits `close` after the end of the error output, `exit` may come before.
  const onClose = (_code: number | null, killSignal: NodeJS.Signals | null) =>
    reject(new JobEnded(reasonOf(killSignal, worker.errorOutput), worker.errorOutput))
  const onError = (error: Error) => reject(new JobEnded('interrupted', error.message))
  const onAbort = () => reject(signal?.reason)
  const timer = setTimeout(() => reject(new JobEnded('time')), seconds * 1000)
  worker.errorOutput = ''
  child.on('message', onMessage).on('close', onClose).on('error', onError)
  signal?.addEventListener('abort', onAbort)
  try {
    send({ job, input, cpuSeconds, megabytes })
    return await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    child.off('message', onMessage).off('close', onClose).off('error', onError)
    jobEnd.abort(new Error('The job has ended.'))
  }
}

const isQuestion = (message: unknown): message is { question: unknown } => 'question' in membersOf(message)

function isOutcome(message: unknown): message is JobOutcome {
  const members = membersOf(message)
  return ('result' in members || 'error' in members) && typeof members.megabytes === 'number'
}

/** What a job may take; at more its child is killed. */
export interface Limits {
  /** Wall-clock time, including the start of the child. */
  seconds: number
  /** CPU time of the job; it does not fail a job because the machine is busy. Default: the same number as `seconds`. */
  cpuSeconds?: number
  /** Resident memory of the whole child. */
  megabytes: number
}

/** Why the child ended: the limit that the job exceeded, a fault in native code, or a cause that is not the job's fault. */
type Reason = 'time' | 'memory' | 'crashed' | 'interrupted'

/** The child ended without a result. The message contains the end of its error output and is only for the log. */
export class JobEnded extends Error {
  override readonly name = 'JobEnded'
  readonly reason: Reason

  constructor(reason: Reason, errorOutput = '') {
    super(`The child process ended (${reason}). ${errorOutput}`.trim())
    this.reason = reason
  }
}

/** Signals of faults in native code; V8 raises one of them when its heap is full. */
const faultSignals = new Set(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGABRT', 'SIGFPE', 'SIGTRAP', 'SIGSYS'])

function reasonOf(killSignal: NodeJS.Signals | null, errorOutput: string): Reason {
  if (errorOutput.includes(`${limitLine}time`)) return 'time'
  if (errorOutput.includes(`${limitLine}memory`) || errorOutput.includes('heap out of memory'))
    return 'memory'
  return killSignal !== null && faultSignals.has(killSignal) ? 'crashed' : 'interrupted'
}
