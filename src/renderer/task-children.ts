// Runs the two jobs of the renderer's child processes (process.ts) for task-runner.ts, and turns what goes wrong in them into errors.
import { SvcError } from '../core/errors.ts'
import { scriptBeside } from '../core/installed.ts'
import { storageFull } from '../core/unavailable.ts'
import { JobEnded, workerHost } from '../workers/host.ts'
import type { Fetching } from './file-copies.ts'
import type { fontSources } from './font-sources.ts'
import type { Answer, LoadedPictures, Needs, PreviewTask, PrintTask, Task } from './task.ts'

/** What the child processes need of the host. */
export interface ChildSettings {
  fetchFonts: ReturnType<typeof fontSources>
  /** Logs a crash of a child process, or an unexpected error in one. */
  warn: (error: unknown, message: string) => void
  /** The most memory of one child process. */
  megabytes: number
  /** Designs that are drawn at the same time. */
  jobs: number
}

/** A task whose design is in the file design.json of its folder. */
export interface ChildTask {
  task: Omit<PrintTask, 'design'> | Omit<PreviewTask, 'design'>
  fetching: Fetching
  /** For drawing the design, by the clock. */
  seconds: number
  /** CPU time for drawing it; default: as many as by the clock. */
  cpuSeconds?: number | undefined
  /** Called with how much is drawn, from 0 to 1. */
  progress: (done: number) => void
  /** Whether it ends with `NeedsLonger` after `trialSeconds` of CPU time. */
  isTrial: boolean
}

/** A preview or preflight takes longer than its trial. */
export class NeedsLonger extends Error {
  override readonly name = 'NeedsLonger'
}

/** Maximum seconds for reading which pictures a design needs, by the clock and of CPU time. */
const [readSeconds, readCpuSeconds] = [60, 10]
/** Seconds of CPU time in which most previews and preflights are drawn. */
const trialSeconds = 3

/** Creates the child processes, which start with the first tasks. */
export function taskChildren({ fetchFonts, warn, megabytes, jobs }: ChildSettings) {
  const host = workerHost({
    script: scriptBeside(import.meta.url, 'process'),
    // Designs are read beside those that are drawn.
    maxChildren: jobs + 1,
    heap: megabytes,
    idle: 60_000,
    niceness: 10,
  })

  /** Runs a job and answers its questions. @throws SvcError if the process ends without a result, NeedsLonger after a trial */
  async function inChild(
    job: 'read' | 'draw',
    input: Omit<Task, 'design' | 'pictures'>,
    { fetching, progress, isTrial }: ChildTask,
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

  return {
    /** The names of the pictures that the design needs. @throws SvcError, NeedsLonger */
    async read(child: ChildTask): Promise<string[]> {
      const { task, fetching, seconds } = child
      const limits = { seconds: readSeconds, cpuSeconds: Math.min(seconds, readCpuSeconds) }
      return (await inChild('read', { ...task, folder: fetching.folder }, child, limits)) as string[]
    },

    /** Draws or checks the design. @throws SvcError if that fails, NeedsLonger after a trial */
    async draw(child: ChildTask, pictures: LoadedPictures): Promise<Exclude<Answer, { kind: 'failed' }>> {
      const { task, fetching, seconds, cpuSeconds = seconds, isTrial } = child
      const input = { ...task, pictures, folder: fetching.folder }
      const limits = { seconds, cpuSeconds: isTrial ? Math.min(trialSeconds, cpuSeconds) : cpuSeconds }
      const answer = (await inChild('draw', input, child, limits)) as Answer
      if (answer.kind === 'failed') throw failure(task.kind, answer, warn)
      return answer
    },

    /** Ends all child processes; running jobs fail. */
    close: () => host.close(),
  }
}

/** The error for a task that failed. Only an unexpected failure, whose message contains a stack, is logged. */
function failure(
  kind: Task['kind'],
  outcome: Extract<Answer, { kind: 'failed' }>,
  warn: ChildSettings['warn'],
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
