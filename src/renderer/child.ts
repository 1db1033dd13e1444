// One process for one task, with hard limits of time and memory: whatever it does, the host goes on.
import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import type { FromProcess, Gifts, Needs, Outcome, Task, ToProcess } from './task.ts'

export interface ChildLimits {
  seconds: number
  megabytes: number
}

/** The process ended, or had to be ended, without an outcome. */
export class ChildFailed extends Error {
  override readonly name = 'ChildFailed'
  /** A sentence for the job; what the process said about itself is for the log alone. */
  readonly reason: string

  constructor(reason: string, said?: string) {
    super(said ? `${reason} ${said}` : reason)
    this.reason = reason
  }
}

// In the published package the neighbour is a .js file, in development a .ts file, as this one is.
const file = new URL(import.meta.url.endsWith('.ts') ? './process.ts' : './process.js', import.meta.url)

const MiB = 1024 * 1024
/** Milliseconds between two looks at the memory. */
const lookEvery = 300
/** Behind everything that serves requests. */
const niceness = 10
/** Characters that are kept of what the process says when it breaks. */
const maxSaid = 2000

/**
 * Runs the task. The signal ends it.
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
  const child = fork(file, {
    // Neither the host's secrets nor its loaders and inspectors belong into the process.
    env: {},
    execArgv: [`--max-old-space-size=${megabytes}`],
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
    ending.abort(new Error('The renderer has ended.'))
    child.kill('SIGKILL')
    if (child.connected) child.disconnect()
  }
}

function lower(pid: number): void {
  try {
    setPriority(pid, niceness)
  } catch {
    // It may have ended already, or the system does not allow it.
  }
}

/** What Linux says; elsewhere the limit of the heap alone holds. */
async function residentBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  return Number(text.split(' ')[1] ?? 0) * 4096
}
