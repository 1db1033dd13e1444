// Runs the tasks of the renderer: has a child process read which pictures a design needs, fetches them, and has a child process draw the
// design. Each task has a temporary folder; tasks wait in queues that are fair to orders and products.
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SvcError } from '../core/errors.ts'
import { tryAgain } from '../core/unavailable.ts'
import { fairQueue } from '../workers/fair-queue.ts'
import { type Fetching, fetchBudget } from './file-copies.ts'
import type { pictureSources } from './picture-sources.ts'
import { refusal } from './refusal.ts'
import { slowClients } from './slow-clients.ts'
import type { Answer, Task } from './task.ts'
import { type ChildSettings, type ChildTask, NeedsLonger, taskChildren } from './task-children.ts'

/** What the runner needs. */
export interface RunnerSettings extends ChildSettings {
  fetchPictures: ReturnType<typeof pictureSources>['fetchPictures']
  tempDir: string
  /** Tasks of each kind that may wait, besides those that are drawn. */
  waiting: number
}

/** The outcome of a task that succeeded. */
export type Ended = Extract<Answer, { kind: 'done' | 'checked' }>

/** How one task runs. */
export interface RunOptions extends Pick<ChildTask, 'seconds' | 'cpuSeconds'> {
  /** The order or product of the design; the queues are fair to them. */
  client: string
  signal: AbortSignal
  /** Called with how much is drawn, from 0 to 1. */
  progress?: ((done: number) => void) | undefined
}

/** A task in its folder. */
interface Work extends ChildTask {
  /** The name under which the task queues. */
  queueName: string
  stopwatch: Stopwatch
}

/** Adds up how long the steps of a task take, also if they fail, without the time in queues. */
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

/** Prefix of the names of temporary folders. */
const prefix = 'svc-render-'
/** Seconds without a change after which a folder counts as abandoned. */
const abandonedAfter = 3600
/** Tasks that have a folder, of prints and as many of others, for each design that is drawn at the same time. */
const foldersPerJob = 4

/** Creates the runner of a renderer: `run` queues and runs a task, `assertRoom` refuses when too many wait, `stop` ends all. */
export function taskRunner(settings: RunnerSettings) {
  const { fetchPictures, tempDir, jobs, waiting } = settings
  const children = taskChildren(settings)
  // `assertRoom` limits the tasks that wait, so that the queues do not.
  const queue = (concurrency: number) => fairQueue(concurrency, Number.POSITIVE_INFINITY)
  // A task waits in a queue for its folder: prints; previews and preflights in their trial; and those that take long, which delay each
  // other, whatever design they are of, and nothing else.
  const [printFolders, trialFolders] = [queue(foldersPerJob * jobs), queue(foldersPerJob * jobs)]
  const slowFolders = queue(Math.max(1, jobs - 1))
  // With its folder it waits for a child that reads it, and then for one that draws it.
  const [reading, drawing] = [queue(1), queue(jobs)]
  // At most `jobs` previews and preflights are drawn or wait for `drawing`, so that prints come between: everyone who may read can request
  // previews.
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
   * Queues and runs the task. A preview or preflight is tried for a short time first, unless its client was slow lately; one that takes
   * longer runs again in the queue of slow ones.
   * @param take called with the outcome before the folder is removed; its result is that of `run`
   * @throws SvcError 422 for a refusal, 500 if the process ends without a result, 503 if too many wait or, except for prints, the server
   *   closes, 507 if the disk is full; or the reason of the signal
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
    const queueName = slow.queueNameOf(client)
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
          queueName,
          progress,
          isTrial,
          stopwatch,
        }
        return take(await outcomeOf(work))
      })
    try {
      if (kind === 'print') return await printFolders(() => runOnce({ isTrial: false }), queueName)
      if (queueName === client) {
        const result = await trialFolders(() => runOnce({ isTrial: true }), client).catch(
          (error: unknown) => {
            if (error instanceof NeedsLonger) return error
            throw error
          },
        )
        if (!(result instanceof NeedsLonger)) return result
        slow.note(client, Number.POSITIVE_INFINITY)
      }
      return await slowFolders(() => runOnce({ isTrial: false }), client)
    } catch (error) {
      // The job of a print is taken up again after the next start.
      if (!stopping.signal.aborted || kind === 'print') throw error
      const message = 'The server is closing; try again in a moment.'
      throw tryAgain({ reason: 'closing', message, seconds: 5, cause: error })
    } finally {
      slow.note(client, stopwatch.milliseconds)
      pending[kind]--
    }
  }

  /**
   * Reads the design, fetches its pictures, and draws it. Pictures are fetched before the task waits to be drawn, so that slow servers
   * delay no other design.
   * @throws SvcError for a refusal or a failure, NeedsLonger after a trial
   */
  async function outcomeOf(work: Work): Promise<Ended> {
    const { task, fetching, queueName, stopwatch } = work
    const names = await reading(() => stopwatch.time(() => children.read(work)), queueName)
    const pictures = await stopwatch.time(() => fetchPictures(names, fetching))
    const draw = () => drawing(() => stopwatch.time(() => children.draw(work, pictures)), queueName)
    const answer = await (task.kind === 'print' ? draw() : viewing(draw, queueName))
    if (answer.kind === 'refused') throw refusal(answer.refusals)
    return answer
  }

  /** Ends all tasks and child processes; further tasks are refused. */
  function stop(): void {
    stopping.abort(new Error('The server is closing.'))
    children.close()
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
