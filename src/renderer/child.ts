// One process for one task, with hard limits of time and memory, so that the host survives any failure.
import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { execArguments, scriptBeside } from '../core/installed.ts'
import type { FromProcess, Gifts, Needs, Outcome, Task, ToProcess } from './task.ts'

export interface ChildLimits {
  seconds: number
  megabytes: number
}

/** The process ended, or had to be ended, without an outcome. */
export class ChildFailed extends Error {
  override readonly name = 'ChildFailed'
  /** A sentence for the job; the process's own output is only logged. */
  readonly reason: string

  constructor(reason: string, said?: string) {
    super(said ? `${reason} ${said}` : reason)
    this.reason = reason
  }
}

const MiB = 1024 * 1024
/** Milliseconds between two memory checks. */
const lookEvery = 300
/** Lower priority than everything that serves requests. */
const niceness = 10
/** Maximum characters kept of the error output of the process. */
const maxSaid = 2000

/**
 * Runs the task in a new process, which `signal` kills.
 * @throws ChildFailed, or the signal's reason
 */
export async function runChild(
  task: Task,
  fetch: (needs: Needs, signal: AbortSignal) => Promise<Gifts>,
  { seconds, megabytes }: ChildLimits,
  stop: AbortSignal,
): Promise<Outcome> {
  stop.throwIfAborted()
  const ending = new AbortController()
  const child = fork(scriptBeside(import.meta.url, 'process'), {
    // Without the host's environment, which may contain secrets, and without its loaders and inspectors.
    env: {},
    execArgv: [...execArguments(), `--max-old-space-size=${megabytes}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  })
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-maxSaid)
  })
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
  const fail = (reason: string) => reject(new ChildFailed(reason, said))
  const tell = (message: ToProcess) => child.connected && child.send(message, () => {})
  child
    .on('error', () => fail('The renderer could not be started.'))
    .on('exit', (code, signal) => fail(`The renderer ended before its work was done (${signal ?? code}).`))
    .on('message', (message: FromProcess) => {
      if ('outcome' in message) resolve(message.outcome)
      else fetch(message.needs, ending.signal).then((gifts) => tell({ gifts }), reject)
    })
  const timer = setTimeout(
    () => fail(`The design took longer than ${seconds} seconds to draw.`),
    seconds * 1000,
  )
  const look = setInterval(async () => {
    const used = child.pid === undefined ? 0 : await residentBytes(child.pid)
    if (used > megabytes * MiB) fail(`The design needs more than ${megabytes} MB of memory to draw.`)
  }, lookEvery)
  const stopped = () => reject(stop.reason)
  stop.addEventListener('abort', stopped)
  try {
    if (child.pid !== undefined) lower(child.pid)
    tell({ task })
    return await promise
  } finally {
    clearTimeout(timer)
    clearInterval(look)
    stop.removeEventListener('abort', stopped)
    ending.abort(new Error('The renderer exited.'))
    child.kill('SIGKILL')
    if (child.connected) child.disconnect()
  }
}

function lower(pid: number): void {
  try {
    setPriority(pid, niceness)
  } catch {
    // It may have exited already, or the system does not allow it.
  }
}

/** Read from /proc on Linux; elsewhere only the heap limit applies. */
async function residentBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  return Number(text.split(' ')[1] ?? 0) * 4096
}
