// A worker thread for work whose cost grows with large values. Callers name an exported function of a module.
import { Worker } from 'node:worker_threads'
import { timeLeft } from '../deadline.ts'
import { type ErrorCode, SvcError } from '../errors.ts'
import { execArguments, scriptBeside } from '../installed.ts'
import { JsonText, type StoredJson } from '../json-text.ts'
import { JsonArgument } from '../large-json/bytes.ts'
import { type Call, outcomeAhead, outcomeOf } from './ahead.ts'

/** Strings and bodies from this length on are not parsed on the main thread, because that would delay all requests. */
export const largeFrom = 512 * 1024

export const isLarge = (json: StoredJson): boolean => json instanceof JsonText || json.length >= largeFrom

/** Maximum duration of a call in milliseconds, including its time in the queue; the deadline of a request may be earlier. */
export const callTime = { max: 9000 }
/** Milliseconds of idleness after which the thread ends and frees its memory. */
const idleTime = 5000
/** After a call with so many bytes or characters it ends as soon as the queue is empty. */
const heavyFrom = 8 * 1024 * 1024

/** Response of the thread. */
export type Outcome = { result: unknown } | { refused: Refusal } | { failed: string }
type Refusal = {
  code: ErrorCode
  status: number
  message: string
  data: Record<string, unknown>
  errors?: string[]
}

interface Waiting {
  task: Call
  transfer: ArrayBuffer[]
  deadline: number
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

const waiting: Waiting[] = []
let worker: Worker | undefined
let isBusy = false
let isHeavy = false
let idle: NodeJS.Timeout | undefined

/**
 * Calls an exported function of a module on the other thread, one call at a time. Arguments and result are copied,
 * except a Uint8Array that owns all of its memory: it is transferred and empty afterwards. A JsonText arrives as its text, a
 * JsonArgument as JsonBytes. A transaction is rolled back for the call and begins anew with its result.
 * @param module URL of its file: the caller's `import.meta.url`, or resolved from it
 * @throws SvcError what the function throws; 503 when the call does not end in time
 */
export async function offThread<Result>(
  module: string | URL,
  name: string,
  ...args: unknown[]
): Promise<Result> {
  const task = { module: String(module), name, args }
  // A module and its callers agree on what its functions return.
  return (await outcomeOf(task, () => call(task))) as Result
}

/**
 * The same for code that cannot wait: in a transaction the call is made before it begins anew, elsewhere `here` does
 * the work at once.
 */
export function offThreadAhead<Result>(
  module: string | URL,
  name: string,
  args: unknown[],
  here: () => Result,
): Result {
  const task = { module: String(module), name, args }
  return outcomeAhead(task, () => call(task), here) as Result
}

async function call({ module, name, args: given }: Call): Promise<unknown> {
  // A JsonText arrives as the text that it is, and JSON as its bytes.
  const args = given.map((arg) =>
    arg instanceof JsonText ? arg.bytes : arg instanceof JsonArgument ? arg.bytes : arg,
  )
  const task = { module, name, args }
  const outcome = await new Promise<Outcome>((resolve, reject) => {
    const deadline = performance.now() + timeLeft(callTime.max)
    const transfer = task.args
      .map((arg) => jsonOf(arg) ?? arg)
      .filter(ownsItsMemory)
      .map(({ buffer }) => buffer)
    waiting.push({ task, transfer, deadline, resolve, reject })
    next()
  })
  if ('refused' in outcome) {
    const error = new SvcError(outcome.refused.code, outcome.refused)
    error.statusCode = outcome.refused.status
    throw error
  }
  if ('failed' in outcome) throw new Error(outcome.failed)
  return outcome.result
}

const busy = (cause: Error) =>
  new SvcError('svc_unavailable', {
    message: 'The server is too busy; try again later.',
    headers: { 'retry-after': '2' },
    cause,
  })

const ownsItsMemory = (value: unknown): value is Uint8Array<ArrayBuffer> =>
  value instanceof Uint8Array &&
  value.buffer instanceof ArrayBuffer &&
  value.byteLength === value.buffer.byteLength

function next(): void {
  if (isBusy) return
  const call = waiting.shift()
  if (!call) {
    rest(isHeavy ? 0 : idleTime)
    return
  }
  clearTimeout(idle)
  const time = call.deadline - performance.now()
  if (time <= 0) {
    call.reject(busy(new Error(`${call.task.name}: the thread did not become free in time.`)))
    next()
    return
  }
  isBusy = true
  isHeavy ||= call.task.args.some((arg) => sizeOf(arg) >= heavyFrom)
  run(call, time)
}

function run(call: Waiting, time: number): void {
  worker ??= start()
  const current = worker
  const end = (settle: () => void) => {
    clearTimeout(timer)
    current.off('message', onMessage).off('error', onError).off('exit', onExit)
    current.unref()
    isBusy = false
    settle()
    next()
  }
  const drop = (error: Error) => {
    if (worker === current) worker = undefined
    void current.terminate()
    end(() => call.reject(busy(error)))
  }
  const onMessage = (outcome: Outcome) => end(() => call.resolve(outcome))
  const onError = (error: Error) => drop(error)
  const onExit = () => drop(new Error('The thread ended.'))
  const timer = setTimeout(() => drop(new Error(`${call.task.name}: the call did not end in time.`)), time)
  current.on('message', onMessage).on('error', onError).on('exit', onExit)
  current.ref()
  current.postMessage(call.task, call.transfer)
}

function start(): Worker {
  // Without the host's environment, which may contain secrets, and without its loaders and inspectors.
  const started = new Worker(scriptBeside(import.meta.url, 'worker'), {
    env: {},
    execArgv: execArguments(),
    resourceLimits: { maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  })
  started.on('exit', () => {
    if (worker === started) worker = undefined
  })
  return started
}

/** Characters or bytes of a string, of bytes, or of JSON in an object. */
function sizeOf(arg: unknown): number {
  if (typeof arg === 'string' || arg instanceof Uint8Array) return arg.length
  return jsonOf(arg)?.length ?? 0
}

/** The bytes of a JsonBytes. */
function jsonOf(arg: unknown): Uint8Array | undefined {
  const json: unknown = Reflect.get(Object(arg), 'json')
  return json instanceof Uint8Array ? json : undefined
}

function rest(time: number): void {
  clearTimeout(idle)
  idle = setTimeout(() => {
    const done = worker
    worker = undefined
    isHeavy = false
    void done?.terminate()
  }, time).unref()
}
