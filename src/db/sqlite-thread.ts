// The thread of the embedded databases, one for all files of the process: statements do not block the event loop.
import { Worker } from 'node:worker_threads'
import { timeLeft } from '../deadline.ts'
import { SvcError } from '../errors.ts'
import { sqlSpans } from '../trace.ts'
import { maxWait, timeouts } from './timeouts.ts'
import { isControl, type Statement, shownAs } from './together.ts'

/** A task of the thread. Files have numbers. */
export type Task =
  | { kind: 'open'; file: number; path: string }
  | {
      kind: 'run'
      file: number
      /** Run one after another until one fails; the result is that of the last. */
      statements: readonly Statement[]
      isRead: boolean
      /** Nanoseconds of the monotonic clock after which they must not start. */
      startBefore?: bigint
    }
  | { kind: 'close'; file: number }

/** Its responses, in the order of the tasks. */
export type Outcome =
  | { result: Opened | StatementResult | undefined }
  | { failed: { message: string } & Record<string, unknown> }
  | { tooLarge: true }
  | { tooLate: true }

export interface Opened {
  /** Whether reads of committed rows need not wait for the end of a transaction. */
  hasReader: boolean
}

export interface StatementResult {
  rows: unknown[]
  insertId?: number | bigint
  changes?: number | bigint
}

export interface RunMode {
  /** It only reads committed rows, outside of a transaction. */
  isRead?: boolean
  /** It is committed by itself, so it must not run once its caller has given up. */
  isAlone?: boolean
}

export interface SqliteFile {
  hasReader: boolean
  /** False after the thread exited: uncommitted changes are lost. */
  isOpen(): boolean
  run(statements: readonly Statement[], mode?: RunMode): Promise<StatementResult>
  close(): Promise<void>
}

// The worker script is a .js file in the published package, a .ts file in development, like this one.
const script = new URL(
  import.meta.url.endsWith('.ts') ? './sqlite-worker.ts' : './sqlite-worker.js',
  import.meta.url,
)
/** Milliseconds after the last file was closed. */
const idleTime = 1000

interface Thread {
  worker: Worker
  waiting: ((outcome: Outcome) => void)[]
  isAlive: boolean
  files: number
}

let current: Thread | undefined
let lastFile = 0
let idle: NodeJS.Timeout | undefined

/** Opens (and creates) the file. @throws Error of node:sqlite */
export async function openSqlite(path: string): Promise<SqliteFile> {
  clearTimeout(idle)
  current ??= start()
  const thread = current
  const file = ++lastFile
  thread.files++
  const { hasReader } = (await ask(thread, { kind: 'open', file, path }).catch((error) => {
    leave(thread)
    throw error
  })) as Opened
  return {
    hasReader,
    isOpen: () => thread.isAlive,
    run(statements, { isRead = false, isAlone = false } = {}) {
      return sqlSpans.around({ engine: 'sqlite', statement: shownAs(statements) }, async () => {
        const milliseconds = maxWait(decisive(statements))
        // Nor may a COMMIT start after the deadline, although its result is awaited longer.
        const latestStart = Math.min(milliseconds - timeouts.cushion, timeLeft(timeouts.query))
        const task: Task = {
          kind: 'run',
          file,
          isRead,
          ...(isAlone && milliseconds > 0 && { startBefore: nanosecondsIn(latestStart) }),
          statements: statements.map(({ sql, parameters, ifMatched }) => ({
            sql,
            parameters,
            ...(ifMatched && { ifMatched }),
          })),
        }
        return (await ask(thread, task, milliseconds)) as StatementResult
      })
    },
    async close() {
      if (thread.isAlive) await ask(thread, { kind: 'close', file })
      leave(thread)
    },
  }
}

/** The text by which its time is limited: a whole transaction has no more time than a write without one. */
function decisive(statements: readonly Statement[]): string {
  const [first, last] = [statements[0], statements.at(-1)]
  return (last?.sql === 'commit' && first && isControl(first) ? first : last)?.sql ?? ''
}

/** On the clock that all threads share. */
const nanosecondsIn = (milliseconds: number) =>
  process.hrtime.bigint() + BigInt(Math.floor(milliseconds * 1e6))

/** @param maxMilliseconds how long its caller waits; the task still runs, in its order. 0 means no limit */
function ask(thread: Thread, task: Task, maxMilliseconds = 0): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  if (!thread.isAlive) {
    reject(unavailable('The database thread exited.'))
    return promise
  }
  const timer =
    maxMilliseconds > 0
      ? setTimeout(() => reject(unavailable('The statement timed out.')), maxMilliseconds)
      : undefined
  thread.waiting.push((outcome) => {
    clearTimeout(timer)
    if ('failed' in outcome) reject(Object.assign(new Error(outcome.failed.message), outcome.failed))
    else if ('tooLarge' in outcome) reject(new SvcError('svc_list_too_large'))
    else if ('tooLate' in outcome) reject(unavailable('The statement could not start in time.'))
    else resolve(outcome.result)
  })
  // Only a pending response keeps the process alive.
  thread.worker.ref()
  thread.worker.postMessage(task)
  return promise
}

const unavailable = (message: string) => Object.assign(new Error(message), { code: 'SVC_POOL_EXHAUSTED' })

function start(): Thread {
  // Without the host's environment, which may contain secrets, and without its loaders and inspectors.
  const worker = new Worker(script, {
    env: {},
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
  })
  const thread: Thread = { worker, waiting: [], isAlive: true, files: 0 }
  worker.on('message', (outcome: Outcome) => {
    thread.waiting.shift()?.(outcome)
    if (thread.waiting.length === 0) worker.unref()
  })
  // 'exit' follows.
  worker.on('error', () => {})
  worker.on('exit', () => {
    thread.isAlive = false
    if (current === thread) current = undefined
    const { message, code } = unavailable('The database thread exited.')
    for (const settle of thread.waiting.splice(0)) settle({ failed: { message, code } })
  })
  return thread
}

function leave(thread: Thread): void {
  if (--thread.files > 0 || current !== thread) return
  idle = setTimeout(() => {
    current = undefined
    void thread.worker.terminate()
  }, idleTime).unref()
}
