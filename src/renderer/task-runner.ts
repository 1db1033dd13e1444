// Runs the tasks of the renderer: reads in a child process which pictures a design needs, fetches them, and draws in a child
// process. Each task has a temporary folder and limits; designs wait in queues that are fair to orders.
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SvcError } from '../core/errors.ts'
import { scriptBeside } from '../core/installed.ts'
import { storageFull, tryAgain } from '../core/unavailable.ts'
import { fairQueue } from '../workers/fair-queue.ts'
import { JobEnded, workerHost } from '../workers/host.ts'
import { type Fetching, fetchBudget } from './file-copies.ts'
import type { fontSources } from './font-sources.ts'
import type { pictureSources } from './picture-sources.ts'
import { refusal } from './refusal.ts'
import { slowClients } from './slow-clients.ts'
import type { Answer, LoadedPictures, Needs, PreviewTask, PrintTask, Task } from './task.ts'

/** What the runner needs. */
export interface RunnerSettings {
  fetchPictures: ReturnType<typeof pictureSources>['fetchPictures']
  fetchFonts: ReturnType<typeof fontSources>
  tempDir: string
  /** Called with the error output of a crashed process. */
  warn: (error: unknown, message: string) => void
  /** The most memory of one child process. */
  megabytes: number
  /** Designs that are drawn at the same time. */
  jobs: number
  /** Tasks of each kind that may wait, besides those that are drawn. */
  waiting: number
}

/** The outcome of a task that succeeded. */
export type Ended = Extract<Answer, { kind: 'done' | 'checked' }>

/** How one task runs. */
export interface RunOptions {
  /** For drawing the design, by the clock. */
  seconds: number
  /** CPU time; default: as many as by the clock. */
  cpuSeconds?: number | undefined
  /** The order or product of the design: they take turns. */
  client: string
  signal: AbortSignal
  /** Called with how much is drawn, from 0 to 1. */
  progress?: ((done: number) => void) | undefined
}

/** A task in its folder. */
interface Work extends Pick<RunOptions, 'seconds' | 'cpuSeconds'> {
  task: Omit<PrintTask, 'design'> | Omit<PreviewTask, 'design'>
  fetching: Fetching
  /** The client of the queues. */
  turn: string
  progress: (done: number) => void
  /** Whether it ends with `NeedsLonger` after `trialSeconds`. */
  isTrial: boolean
  /** Counts how long its steps take, without the time in queues. */
  stopwatch: Stopwatch
}

/** Adds up how long steps take, also if they fail. */
class Stopwatch {
  milliseconds = 0

  async time<T>(step: () => Promise<T>): Promise<T> {
    const start = performance.now()
    try {
      return await step()
    } finally {
      this.milliseconds += performance.now() - start
    }
  }
}

/** A preview or preflight takes longer than its trial. */
class NeedsLonger extends Error {
  override readonly name = 'NeedsLonger'
}

const prefix = 'svc-render-'
/** Seconds after which a folder counts as abandoned. */
const abandonedAfter = 3600
/** Maximum seconds for reading which pictures a design needs, by the clock and of CPU time. */
const [readSeconds, readCpuSeconds] = [60, 10]
/** Seconds of CPU time in which most previews and preflights are drawn. */
const trialSeconds = 3
/** Temporary folders of prints, and as many of other tasks, for each design that is drawn at the same time. */
const foldersPerJob = 4

/** Creates the runner of a renderer: `run` queues and runs a task, `assertRoom` refuses when too many wait, `stop` ends all. */
export function taskRunner(settings: RunnerSettings) {
  const { fetchPictures, fetchFonts, tempDir, warn, megabytes, jobs, waiting } = settings
  // Designs are read beside those that are drawn.
  const host = workerHost({
    script: scriptBeside(import.meta.url, 'process'),
    maxChildren: jobs + 1,
    heap: megabytes,
    idle: 60_000,
    niceness: 10,
  })
  // `assertRoom` limits the tasks that wait, so that the queues do not.
  const queue = (places: number) => fairQueue(places, Number.POSITIVE_INFINITY)
  // Rooms limit the tasks that have a folder: prints; previews and preflights in their trial; and those that take long, which wait
  // for each other, whichever design they are of, and do not delay the others.
  const [printRoom, viewRoom] = [queue(foldersPerJob * jobs), queue(foldersPerJob * jobs)]
  const slowRoom = queue(Math.max(1, jobs - 1))
  // Within its room a task takes a turn to be read by a child, and then one to be drawn.
  const [reading, drawing] = [queue(1), queue(jobs)]
  // At most `jobs` previews and preflights wait beside prints to be drawn, because every user who may read can request them.
  const viewing = queue(jobs)
  const slow = slowClients()
  const stopping = new AbortController()
  /** Tasks that wait or run. */
  const pending = { print: 0, preflight: 0, preview: 0 }

  /** Checks that another task may wait. @throws SvcError 503 */
  function assertRoom(kind: Task['kind'] = 'print'): void {
    if (pending[kind] < jobs + waiting) return
    throw new SvcError('svc_renderer_busy', { headers: { 'retry-after': '10' } })
  }

  /**
   * Queues and runs the task. A preview or preflight is tried for a short time first; one that takes longer runs again in the queue
   * of slow ones.
   * @param take called with the outcome before the folder is removed; its result is that of `run`
   * @throws SvcError 422 for a refusal, 500 if the process ends without a result, 503 if too many wait or the server closes
   */
  async function run<T>(
    design: string,
    { ticket, ...task }: Work['task'] & { ticket?: string | undefined },
    { client, signal, progress = () => {}, ...limits }: RunOptions,
    take: (done: Ended) => Promise<T>,
  ): Promise<T> {
    const { kind } = task
    assertRoom(kind)
    pending[kind]++
    const turn = slow.turnOf(client)
    const stopSignal = AbortSignal.any([signal, stopping.signal])
    const stopwatch = new Stopwatch()
    const runOnce = ({ isTrial }: { isTrial: boolean }) =>
      inFolder(tempDir, async (folder, afterTask) => {
        stopSignal.throwIfAborted()
        // The design and the ticket are passed as files: copying large ones to the other process would block all requests.
        await writeFile(join(folder, 'design.json'), design, { mode: 0o600 })
        if (ticket !== undefined) await writeFile(join(folder, 'ticket.html'), ticket, { mode: 0o600 })
        const fetching = { folder, budget: fetchBudget(), signal: stopSignal, afterTask }
        const work = {
          ...limits,
          task: { ...task, hasTicket: ticket !== undefined },
          fetching,
          turn,
          progress,
          isTrial,
          stopwatch,
        }
        return take(await outcomeOf(work))
      })
    try {
      if (kind === 'print') return await printRoom(() => runOnce({ isTrial: false }), turn)
      if (turn === client) {
        const result = await viewRoom(() => runOnce({ isTrial: true }), client).catch((error: unknown) => {
          if (error instanceof NeedsLonger) return error
          throw error
        })
        if (!(result instanceof NeedsLonger)) return result
        slow.note(client, Number.POSITIVE_INFINITY)
      }
      return await slowRoom(() => runOnce({ isTrial: false }), client)
    } catch (error) {
      // A print goes on after the next start.
      if (!stopping.signal.aborted || kind === 'print') throw error
      const message = 'The server is closing; try again in a moment.'
      throw tryAgain({ reason: 'closing', message, seconds: 5, cause: error })
    } finally {
      slow.note(client, stopwatch.milliseconds)
      pending[kind]--
    }
  }

  /**
   * Reads the design, fetches its pictures, and draws it. Pictures are fetched before the task waits for its turn to be drawn, so that
   * slow servers delay no other design.
   * @throws SvcError for a refusal or a failure, NeedsLonger after a trial
   */
  async function outcomeOf(work: Work): Promise<Ended> {
    const { task, fetching, turn, stopwatch } = work
    const names = await reading(() => stopwatch.time(() => readNames(work)), turn)
    const pictures = await stopwatch.time(() => fetchPictures(names, fetching))
    const draw = () => drawing(() => stopwatch.time(() => drawDesign(work, pictures)), turn)
    const answer = await (task.kind === 'print' ? draw() : viewing(draw, turn))
    if (answer.kind === 'done' || answer.kind === 'checked') return answer
    throw answer.kind === 'refused' ? refusal(answer.refusals) : failure(task.kind, answer, warn)
  }

  /** The names of the pictures that the design needs. */
  async function readNames(work: Work): Promise<string[]> {
    const { task, fetching, seconds } = work
    const limits = { seconds: readSeconds, cpuSeconds: Math.min(seconds, readCpuSeconds) }
    return (await inChild('read', { ...task, folder: fetching.folder }, work, limits)) as string[]
  }

  /** Draws the design into a file in the folder. */
  async function drawDesign(work: Work, pictures: LoadedPictures): Promise<Answer> {
    const { task, fetching, seconds, cpuSeconds = seconds, isTrial } = work
    const input = { ...task, pictures, folder: fetching.folder }
    const limits = { seconds, cpuSeconds: isTrial ? Math.min(trialSeconds, cpuSeconds) : cpuSeconds }
    return (await inChild('draw', input, work, limits)) as Answer
  }

  /** Runs a job in a child process, and answers its questions for fonts. @throws SvcError if the process ends without a result, NeedsLonger after a trial */
  async function inChild(
    job: 'read' | 'draw',
    input: Omit<Task, 'design' | 'pictures'>,
    { fetching, progress, isTrial }: Work,
    limits: { seconds: number; cpuSeconds: number },
  ): Promise<unknown> {
    const answer = async (question: Needs | { done: number }, signal: AbortSignal) =>
      'done' in question ? progress(question.done) : fetchFonts(question, { ...fetching, signal })
    try {
      return await host.run(job, () => input, {
        signal: fetching.signal,
        answer,
        limits: { ...limits, megabytes },
      })
    } catch (error) {
      if (!(error instanceof JobEnded)) throw error
      if (isTrial && error.reason === 'time') throw new NeedsLonger()
      warn(error, 'The renderer crashed.')
      const sentences = {
        time: `The design took longer than ${limits.cpuSeconds} seconds to draw.`,
        memory: `The design needs more than ${megabytes} MB of memory to draw.`,
        crashed: 'The renderer ended before its work was done.',
        interrupted: 'The renderer ended before its work was done.',
      }
      throw new SvcError('svc_render_failed', { message: sentences[error.reason] })
    }
  }

  /** Ends all tasks and child processes; further tasks are refused. */
  function stop(): void {
    stopping.abort(new Error('The server is closing.'))
    host.close()
  }

  return { run, assertRoom, stop }
}

/** Runs work with a temporary folder, which is removed at its end, together with what the work registers by `afterTask`. */
async function inFolder<T>(
  tempDir: string,
  work: (folder: string, afterTask: Fetching['afterTask']) => Promise<T>,
): Promise<T> {
  await mkdir(tempDir, { recursive: true })
  const folder = await mkdtemp(join(tempDir, prefix))
  const cleanups: (() => Promise<void>)[] = []
  try {
    return await work(folder, (cleanup) => cleanups.push(cleanup))
  } finally {
    // A child that is being ended, or a download, may write into it for a moment, on a busy machine for seconds.
    const removal = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }
    await Promise.allSettled([...cleanups.map((cleanup) => cleanup()), rm(folder, removal)])
  }
}

/** Removes folders of processes that were killed. */
export async function removeAbandoned(tempDir: string): Promise<void> {
  const oldest = Date.now() - abandonedAfter * 1000
  const names = (await readdir(tempDir).catch(() => [])).filter((name) => name.startsWith(prefix))
  for (const folder of names.map((name) => join(tempDir, name))) {
    const stats = await stat(folder).catch(() => undefined)
    if (stats && stats.mtimeMs < oldest) await rm(folder, { recursive: true, force: true })
  }
}

/** The error for a task that failed. Only an unexpected failure, whose message contains a stack, is logged. */
function failure(
  kind: Task['kind'],
  outcome: Extract<Answer, { kind: 'failed' }>,
  warn: RunnerSettings['warn'],
): SvcError {
  const full = storageFull(outcome)
  if (full) return full
  const { message } = outcome
  const isCrash = message.includes('\n')
  if (!isCrash) return new SvcError('svc_render_failed', { message })
  warn(new Error(message), 'The renderer crashed.')
  // A job stores the cause for the print shop; a preview responds with it at once, and a 5xx reveals no internals.
  const cause = kind !== 'preview' ? `: ${causeIn(message)}` : '.'
  return new SvcError('svc_render_failed', { message: `The design could not be drawn${cause}` })
}

/** The first line of an error with its stack, without paths of this machine. */
function causeIn(stack: string): string {
  const [line = ''] = stack.split('\n', 1)
  const cause = line.replace(/(?:file:)?(?:[A-Za-z]:)?[/\\][^\s'"`]*[/\\][^\s'"`]*/g, '…')
  return cause.length > 300 ? `${cause.slice(0, 300)}…` : cause
}
