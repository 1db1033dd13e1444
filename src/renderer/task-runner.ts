// Runs the tasks of the renderer in child processes: a queue, a temporary folder and limits for each.
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SvcError } from '../core/errors.ts'
import { scriptBeside } from '../core/installed.ts'
import { storageFull } from '../core/unavailable.ts'
import { fairQueue } from '../workers/fair-queue.ts'
import { JobEnded, workerHost } from '../workers/host.ts'
import { refusal } from './refusal.ts'
import type { sourcesOf } from './sources.ts'
import type { Answer, Needs, PreviewTask, PrintTask, Task } from './task.ts'

export interface RunnerSettings {
  fetch: ReturnType<typeof sourcesOf>['fetch']
  tempDir: string
  /** Called with the error output of a crashed process. */
  warn: (error: unknown, message: string) => void
  megabytes: number
  /** Designs that are drawn at the same time. */
  jobs: number
  waiting: number
}

export type Ended = Extract<Answer, { kind: 'done' | 'checked' }>

const prefix = 'svc-render-'
/** Seconds after which a folder counts as abandoned. */
const abandonedAfter = 3600

export function taskRunner({ fetch, tempDir, warn, megabytes, jobs, waiting }: RunnerSettings) {
  const host = workerHost({
    script: scriptBeside(import.meta.url, 'process'),
    most: jobs,
    heap: megabytes,
    idle: 60_000,
    niceness: 10,
  })
  // Whoever may read can ask for previews and preflights; they must not keep prints waiting.
  const previewTurn = fairQueue(Math.max(1, jobs - 1))
  const stopping = new AbortController()
  const pending = { print: 0, preflight: 0, preview: 0 }

  function assertRoom(kind: Task['kind'] = 'print'): void {
    if (pending[kind] < jobs + waiting) return
    throw new SvcError('svc_renderer_busy', { headers: { 'retry-after': '10' } })
  }

  /** Queues and runs the task; `take` gets the file before the folder is removed. */
  async function run<T>(
    design: string,
    task: Omit<PrintTask, 'design'> | Omit<PreviewTask, 'design'>,
    limit: number,
    signal: AbortSignal,
    take: (done: Ended) => Promise<T>,
    progress?: (done: number) => void,
  ): Promise<T> {
    const { kind } = task
    assertRoom(kind)
    pending[kind]++
    const stop = AbortSignal.any([signal, stopping.signal])
    try {
      const work = () =>
        inFolder(tempDir, async (folder, later) => {
          const outcome = await drawn({ ...task, design, folder }, later, limit, stop, progress)
          if (outcome.kind === 'done' || outcome.kind === 'checked') return take(outcome)
          throw outcome.kind === 'refused' ? refusal(outcome.refusals) : failure(kind, outcome, warn)
        })
      return await (kind === 'print' ? work() : previewTurn(work))
    } finally {
      pending[kind]--
    }
  }

  async function drawn(
    { design, ...task }: Task,
    later: (work: () => Promise<void>) => void,
    seconds: number,
    signal: AbortSignal,
    progress: (done: number) => void = () => {},
  ): Promise<Answer> {
    const { folder, kind } = task
    // The design is passed through a file: copying a large one to the other process would block all requests.
    const input = async () => {
      // It may have waited for longer than such folders are kept.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(join(folder, 'design.json'), design, { mode: 0o600 })
      return task
    }
    const answer = async (question: Needs | { done: number }, ending: AbortSignal) =>
      'done' in question ? progress(question.done) : fetch(question, folder, ending, later)
    try {
      const limits = { seconds, megabytes }
      return (await host.run('draw', input, { limits, client: kind, signal, answer })) as Answer
    } catch (error) {
      if (!(error instanceof JobEnded)) throw error
      warn(error, 'The renderer crashed.')
      const sentences = {
        time: `The design took longer than ${seconds} seconds to draw.`,
        memory: `The design needs more than ${megabytes} MB of memory to draw.`,
        crashed: 'The renderer ended before its work was done.',
        interrupted: 'The renderer ended before its work was done.',
      }
      return { kind: 'failed', message: sentences[error.reason] }
    }
  }

  function stop(): void {
    stopping.abort(new Error('The server is closing.'))
    host.close()
  }

  return { run, assertRoom, stop }
}

async function inFolder<T>(
  tempDir: string,
  work: (folder: string, later: (work: () => Promise<void>) => void) => Promise<T>,
): Promise<T> {
  await mkdir(tempDir, { recursive: true })
  const folder = await mkdtemp(join(tempDir, prefix))
  const endings: (() => Promise<void>)[] = []
  try {
    return await work(folder, (ending) => endings.push(ending))
  } finally {
    // A child that is being ended, or a download, may write into it for a moment, on a busy machine for seconds.
    const patiently = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }
    await Promise.allSettled([...endings.map((end) => end()), rm(folder, patiently)])
  }
}

/** Removes folders of processes that were killed. */
export async function removeAbandoned(tempDir: string): Promise<void> {
  const oldest = Date.now() - abandonedAfter * 1000
  const names = (await readdir(tempDir).catch(() => [])).filter((name) => name.startsWith(prefix))
  for (const folder of names.map((name) => join(tempDir, name))) {
    const found = await stat(folder).catch(() => undefined)
    if (found && found.mtimeMs < oldest) await rm(folder, { recursive: true, force: true })
  }
}

function failure(
  kind: Task['kind'],
  outcome: Extract<Answer, { kind: 'failed' }>,
  warn: RunnerSettings['warn'],
): SvcError {
  const full = storageFull(outcome)
  if (full) return full
  const { message } = outcome
  // With a stack it is an error that nobody expected.
  const isCrash = message.includes('\n')
  if (!isCrash) return new SvcError('svc_render_failed', { message })
  warn(new Error(message), 'The renderer crashed.')
  // A job keeps the cause for whoever prints; a preview responds with it at once, and a 5xx reveals no internals.
  const cause = kind !== 'preview' ? `: ${causeIn(message)}` : '.'
  return new SvcError('svc_render_failed', { message: `The design could not be drawn${cause}` })
}

/** The first line of an error with its stack, without paths of this machine. */
function causeIn(stack: string): string {
  const [line = ''] = stack.split('\n', 1)
  const plain = line.replace(/(?:file:)?(?:[A-Za-z]:)?[/\\][^\s'"`]*[/\\][^\s'"`]*/g, '…')
  return plain.length > 300 ? `${plain.slice(0, 300)}…` : plain
}
