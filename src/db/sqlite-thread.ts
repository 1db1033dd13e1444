// The thread of the embedded databases, one for all files of the process: statements do not block the event loop.
import { Worker } from 'node:worker_threads'
import { timeLeft } from '../deadline.ts'
import { SvcError } from '../errors.ts'
import { execArguments, scriptBeside } from '../installed.ts'
import { JsonText, withoutBytes } from '../json-text.ts'
import { encoded } from '../large-json/bytes.ts'
import { largeFrom } from '../off-thread/off-thread.ts'
import { sqlSpans } from '../trace.ts'
import { disposeLater, rememberDigest } from './large-values.ts'
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
  | { result: StatementResult; large: LargeString[] }
  | { failed: { message: string } & Record<string, unknown> }
  | { tooLarge: true }
  | { tooLate: true }

export interface Opened {
  /** Whether reads of committed rows need not wait for the end of a transaction. */
  hasReader: boolean
  /** The encoding of the file's strings. */
  isUtf8: boolean
}

/** A string that travels beside its row. */
export interface LargeString {
  /** Of the row. */
  index: number
  /** Of the column. */
  name: string
  bytes: Uint8Array<ArrayBuffer>
  /** SHA-256 in base64. */
  digest: string
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
  const { hasReader, isUtf8 } = (await ask(thread, { kind: 'open', file, path }).catch((error) => {
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
          statements: statements.map(({ ifMatched, ...statement }) => ({
            ...(isUtf8 ? withBytes(statement) : withStrings(statement)),
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

/** Large strings are transferred as bytes, which are not copied. */
function withBytes({ sql, parameters }: Statement): Statement {
  if (!parameters.some(isLarge)) return { sql, parameters }
  let at = 0
  return {
    // Names and literals may contain question marks, too.
    sql: sql.replace(/'[^']*'|"[^"]*"|\?/g, (part) =>
      part === '?' && isLarge(parameters[at++]) ? 'cast(? as text)' : part,
    ),
    parameters: parameters.map((value) =>
      value instanceof JsonText ? value.bytes : isLargeString(value) ? encoded(value) : value,
    ),
  }
}

const withStrings = ({ sql, parameters }: Statement): Statement => ({
  sql,
  parameters: parameters.map(withoutBytes),
})

const isLargeString = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= largeFrom

const isLarge = (value: unknown) => value instanceof JsonText || isLargeString(value)

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
    else if ('large' in outcome) resolve(withLarge(outcome.result, outcome.large))
    else if ('tooLate' in outcome) reject(unavailable('The statement could not start in time.'))
    else resolve(outcome.result)
  })
  // Only a pending response keeps the process alive.
  thread.worker.ref()
  thread.worker.postMessage(task, task.kind === 'run' ? ownedBytes(task.statements) : [])
  return promise
}

/** Puts the large strings back into their rows, as bytes. */
function withLarge(result: StatementResult, large: readonly LargeString[]): StatementResult {
  for (const { index, name, bytes, digest } of large) {
    Reflect.set(Object(result.rows[index]), name, bytes)
    rememberDigest(bytes, digest)
    disposeLater(bytes)
  }
  return result
}

const ownedBytes = (statements: readonly Statement[]) =>
  statements
    .flatMap(({ parameters }) => parameters)
    .filter((value): value is Uint8Array => value instanceof Uint8Array)
    .filter(({ buffer, byteLength }) => byteLength === buffer.byteLength)
    .map(({ buffer }) => buffer)
    // Shared memory is not transferred.
    .filter((buffer) => buffer instanceof ArrayBuffer)

const unavailable = (message: string) => Object.assign(new Error(message), { code: 'SVC_POOL_EXHAUSTED' })

function start(): Thread {
  // Without the host's environment, which may contain secrets, and without its loaders and inspectors.
  const worker = new Worker(scriptBeside(import.meta.url, 'sqlite-worker'), {
    env: {},
    execArgv: execArguments(),
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
