// The built-in renderer as the host's process sees it: takes designs, returns files, with limits on everything.
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { SvcError } from '../core/errors.ts'
import { requireBeside, scriptBeside } from '../core/installed.ts'
import { fairQueue } from '../workers/fair-queue.ts'
import { workerHost } from '../workers/host.ts'
import { JobEnded } from '../workers/limits.ts'
import { checkedOnly, type Preflight, preflightOf } from './preflight-result.ts'
import type { Spot } from './press-colors.ts'
import { type OutputSettings, pressFor, pressSettings } from './press-settings.ts'
import { previewCache } from './preview-cache.ts'
import { type Finding, sentenceOf, Undrawable } from './refusal.ts'
import type { RendererOptions } from './renderer-options.ts'
import { sheetOf } from './sheet.ts'
import { slicesOf } from './slices.ts'
import { type SourceSettings, sourcesOf } from './sources.ts'
import type { Needs, Outcome, PreviewTask, PrintTask, Report, Task } from './task.ts'

export interface RendererSettings extends Omit<SourceSettings, 'substitutes' | 'strict' | 'emoji'> {
  options: RendererOptions
  tempDir: string
  /** Called with the error output of a crashed process. */
  warn: (error: unknown, message: string) => void
}

export interface PrintSettings
  extends Omit<
    PrintTask,
    'kind' | 'design' | 'fit' | 'press' | 'limits' | 'maxPixels' | 'maxPages' | 'sheet' | 'cmykProfile'
  > {
  /** Colors of the shop that are printed with inks of their own. */
  spots?: readonly Spot[]
  /** Several pages on each sheet of a PDF. */
  isOnSheets?: boolean
  /** What the print profile says instead of the options. */
  output?: OutputSettings
  /** Told how much is drawn, from 0 to 1. */
  progress?: (done: number) => void
}

/** A temporary file, which the caller removes. */
export interface Printed {
  path: string
  type: Extract<Outcome, { kind: 'done' }>['type']
  report: Report
}

type Ended = Extract<Outcome, { kind: 'done' | 'checked' }>

function written(done: Ended): Extract<Outcome, { kind: 'done' }> {
  if (done.kind !== 'done') throw new Error('The renderer wrote no file.')
  return done
}

const prefix = 'svc-render-'
/** Seconds after which a folder counts as abandoned. */
const abandonedAfter = 3600
/** Maximum pixels of a preview. */
const previewPixels = 4_000_000
const previewSeconds = 30
/** Maximum number of reasons in a refusal. */
const maxReported = 20

/** @throws Error with a sentence if a package is missing */
export function createRenderer({ options, tempDir, warn, ...sources }: RendererSettings) {
  assertInstalled()
  const press = pressSettings(options)
  const canPress = press !== undefined || Object.keys(options.profiles ?? {}).length > 0
  const sheet = sheetOf(options.sheet)
  const {
    seconds = 120,
    megabytes = 1536,
    megapixels = 64,
    pages = 200,
    jobs = 2,
    waiting = 50,
    fonts = {},
    strictFonts = false,
    fit = 'refuse',
  } = options
  const { fetch } = sourcesOf({ ...sources, substitutes: fonts, strict: strictFonts, emoji: options.emoji })
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
  const previews = previewCache()
  const pending = { print: 0, preflight: 0, preview: 0 }

  function pressWith(output: OutputSettings, spots: readonly Spot[]) {
    try {
      const chosen = pressFor(output, options)
      return chosen && { ...chosen, spots }
    } catch (error) {
      if (!(error instanceof Undrawable)) throw error
      throw refusal([{ code: error.code, view: null, element: null, message: error.message }])
    }
  }

  const shared = (spots: readonly Spot[]) => ({
    fit,
    cmykProfile: options.profile,
    press: press && { ...press, spots },
    maxPixels: megapixels * 1e6,
    maxPages: pages,
  })

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
        inFolder(async (folder, later) => {
          const outcome = await drawn({ ...task, design, folder }, later, limit, stop, progress)
          if (outcome.kind === 'done' || outcome.kind === 'checked') return take(outcome)
          throw outcome.kind === 'refused' ? refusal(outcome.refusals) : failure(kind, outcome.message)
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
  ): Promise<Outcome> {
    const { folder, kind } = task
    // The design is passed through a file: copying a large one to the other process would block all requests.
    const input = async () => {
      // It may have waited for longer than such folders are kept.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // As a stream, because Yarn's file system takes no generator in `writeFile`.
      await pipeline(slicesOf(design), createWriteStream(join(folder, 'design.json'), { mode: 0o600 }))
      return task
    }
    const answer = async (question: Needs | { done: number }, ending: AbortSignal) =>
      'done' in question ? progress(question.done) : fetch(question, folder, ending, later)
    try {
      const limits = { seconds, megabytes }
      return (await host.run('draw', input, { limits, client: kind, signal, answer })) as Outcome
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

  function failure(kind: Task['kind'], message: string): SvcError {
    // With a stack it is an error that nobody expected.
    const isCrash = message.includes('\n')
    if (!isCrash) return new SvcError('svc_render_failed', { message })
    warn(new Error(message), 'The renderer crashed.')
    // A job keeps the cause for whoever prints; a preview responds with it at once, and a 5xx reveals no internals.
    const cause = kind !== 'preview' ? `: ${causeIn(message)}` : '.'
    return new SvcError('svc_render_failed', { message: `The design could not be drawn${cause}` })
  }

  async function inFolder<T>(
    work: (folder: string, later: (work: () => Promise<void>) => void) => Promise<T>,
  ): Promise<T> {
    await mkdir(tempDir, { recursive: true })
    const folder = await mkdtemp(join(tempDir, prefix))
    const endings: (() => Promise<void>)[] = []
    try {
      return await work(folder, (ending) => endings.push(ending))
    } finally {
      // A child that is being ended, or a download, may write into it for a moment.
      const patiently = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }
      await Promise.allSettled([...endings.map((end) => end()), rm(folder, patiently)])
    }
  }

  return {
    /** Designs that are drawn at the same time. */
    atOnce: jobs,

    /** Whether exports are rendered here although there is an export service. */
    beforeService: options.beforeService ?? false,

    /** Whether PDFs are made in the inks of a press. */
    isForPress: canPress,

    /** Names of the output profiles that a print profile may choose. */
    outputProfiles: Object.keys(options.profiles ?? {}),

    /** @throws SvcError 422 if files cannot be made as the print profile would say */
    assertOutput: (output: OutputSettings) => void pressWith(output, []),

    /** @throws SvcError 503 if too many prints are waiting */
    assertRoom: () => assertRoom(),

    /**
     * Draws the print file of a customization.
     * @param design JSON text
     * @throws SvcError 422 with every reason, 500 if the process crashed, 503 if too many are waiting
     */
    async print(
      design: string,
      { spots = [], isOnSheets = false, output = {}, progress, ...settings }: PrintSettings,
      signal: AbortSignal,
    ): Promise<Printed> {
      const task = {
        ...{ ...settings, ...shared(spots), kind: 'print' as const },
        sheet: isOnSheets ? sheet : undefined,
        press: pressWith(output, spots),
        hideMarks: output.marks === undefined ? settings.hideMarks : !output.marks,
      }
      const take = async (done: Ended) => {
        const { path, type, report } = written(done)
        const kept = join(tempDir, `svc-print-${randomUUID()}`)
        await rename(path, kept)
        return { path: kept, type, report }
      }
      return run(design, task, seconds, signal, take, progress)
    },

    /**
     * A view of a customization as PNG of at most `width` pixels.
     * @param settings `key` identifies design, view and width in the cache
     * @throws SvcError as `print` does
     */
    async preview(
      design: string,
      { key, view, width }: { key: string; view: number; width: number },
      signal: AbortSignal,
    ): Promise<Buffer> {
      const known = previews.get(key)
      if (known) return known
      const task = { kind: 'preview' as const, view, width, maxPixels: previewPixels }
      const limit = Math.min(seconds, previewSeconds)
      const png = await run(design, task, limit, signal, (done) => readFile(written(done).path))
      previews.set(key, png)
      return png
    },

    /**
     * What a print of the customization would be like, without printing it.
     * @throws SvcError as `print` does, except for refusals, which are findings here
     */
    async preflight(
      design: string,
      minDpi: number | undefined,
      signal: AbortSignal,
      output: OutputSettings = {},
    ): Promise<Preflight> {
      const task = { ...checkedOnly, ...shared([]), press: pressWith(output, []), minDpi }
      return run(design, task, seconds, signal, async (done) => {
        if (done.kind !== 'checked') throw new Error('A preflight gave a file.')
        return preflightOf(done.refusals, done.report)
      })
    },

    /** Removes folders of processes that were killed. */
    async sweep(): Promise<void> {
      const oldest = Date.now() - abandonedAfter * 1000
      const names = (await readdir(tempDir).catch(() => [])).filter((name) => name.startsWith(prefix))
      for (const folder of names.map((name) => join(tempDir, name))) {
        const found = await stat(folder).catch(() => undefined)
        if (found && found.mtimeMs < oldest) await rm(folder, { recursive: true, force: true })
      }
    },

    /** Ends all processes. */
    stop(): void {
      stopping.abort(new Error('The server is closing.'))
      host.close()
    },
  }
}

export type Renderer = ReturnType<typeof createRenderer>

/** The first line of an error with its stack, without paths of this machine. */
function causeIn(stack: string): string {
  const [line = ''] = stack.split('\n', 1)
  const plain = line.replace(/(?:file:)?(?:[A-Za-z]:)?[/\\][^\s'"`]*[/\\][^\s'"`]*/g, '…')
  return plain.length > 300 ? `${plain.slice(0, 300)}…` : plain
}

function refusal(refusals: readonly Finding[]): SvcError {
  const sentences = refusals.map(sentenceOf)
  return new SvcError('svc_render_refused', {
    message: sentences[0] ?? 'The design cannot be drawn.',
    data: { refusals: refusals.slice(0, maxReported) },
    errors: sentences.slice(0, maxReported),
  })
}

function assertInstalled(): void {
  try {
    requireBeside(import.meta.url).resolve('pdfkit')
  } catch {
    throw new Error('renderer: needs the package pdfkit; run "npm install pdfkit".')
  }
}
