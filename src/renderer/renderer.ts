// Creates the built-in renderer for the host's process: it takes designs and returns files, with limits on time, memory and sizes.
// task-runner.ts has the queues and child processes.
import { randomUUID } from 'node:crypto'
import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { requireBeside } from '../core/installed.ts'
import { standardMegapixels } from '../files/picture/limits.ts'
import { fontSources } from './font-sources.ts'
import { type PictureSettings, pictureSources } from './picture-sources.ts'
import { type Preflight, preflightOf } from './preflight-result.ts'
import type { SpotColor } from './press-colors.ts'
import { type OutputSettings, pressFor, pressSettings } from './press-settings.ts'
import { previewCache } from './preview-cache.ts'
import { Findings, refusal } from './refusal.ts'
import type { RendererOptions } from './renderer-options.ts'
import { sheetOf } from './sheet.ts'
import type { Answer, PrintChoices } from './task.ts'
import { type Ended, removeAbandoned, taskRunner } from './task-runner.ts'

/** What the renderer needs of its host. */
export interface RendererSettings extends PictureSettings {
  options: RendererOptions
  tempDir: string
  /** The maximum megapixels of a picture, read for each task; default: the option. */
  pictureMegapixels?: () => Promise<number>
  /** Logs a crash of a child process, or an unexpected error in one. */
  warn: (error: unknown, message: string) => void
}

/** How a print file is made. */
export interface PrintSettings extends PrintChoices {
  /** Colors of the shop that are printed with inks of their own. */
  spots?: readonly SpotColor[]
  /** Whether several pages lie on each press sheet of a PDF. */
  isOnSheets?: boolean
  /** The settings of the print profile, which take precedence over the options; its `marks` over `cropMarks`. */
  output?: OutputSettings
  /** The order or product whose design it is; the queues are fair to them. */
  client: string
  /** Called with how much is drawn, from 0 to 1. */
  progress?: (done: number) => void
}

/** How a design is checked; `format` and `dpi` are those of the print, default a PDF. */
export interface PreflightSettings
  extends Pick<PrintSettings, 'minDpi' | 'client' | 'output'>,
    Partial<Pick<PrintSettings, 'format' | 'dpi' | 'mirror'>> {}

/** A print file in the temporary folder, which the caller removes, with its warnings. */
export type Printed = Omit<WrittenFile, 'kind'>

type WrittenFile = Extract<Answer, { kind: 'done' }>

/** The file that a task wrote. @throws Error if it wrote none, which is a mistake of this program */
function writtenFile(outcome: Ended): WrittenFile {
  if (outcome.kind !== 'done') throw new Error('The renderer wrote no file.')
  return outcome
}

/** Maximum pixels of a preview: a larger one becomes smaller. */
const previewPixels = 4_000_000
/** Time limit of a preview by the clock, and of a preflight in CPU time, because a page waits for them. */
const previewSeconds = 30

/** Creates the renderer of an app; its child processes start with the first tasks. @throws Error with a sentence if a package is missing */
export function createRenderer({
  options,
  tempDir,
  warn,
  pictureMegapixels = async () => options.pictureMegapixels ?? standardMegapixels,
  ...sources
}: RendererSettings) {
  assertInstalled()
  const press = pressSettings(options)
  const canPress = press !== undefined || Object.keys(options.profiles ?? {}).length > 0
  const sheet = sheetOf(options.sheet)
  const {
    seconds = 120,
    megabytes = 1536,
    megapixels = 200,
    pages = 200,
    jobs = 2,
    waiting = 50,
    fonts = {},
    strictFonts = false,
    fit = 'refuse',
  } = options
  const { storage } = sources
  const maxPicturePixels = async () => 1e6 * (await pictureMegapixels())
  const { run, assertRoom, stop } = taskRunner({
    ...pictureSources({ ...sources, formerHosts: options.formerHosts }),
    fetchFonts: fontSources({ storage, substitutes: fonts, strict: strictFonts, emoji: options.emoji }),
    tempDir,
    warn,
    megabytes,
    jobs,
    waiting,
  })
  const previews = previewCache()

  /** The settings for the press; undefined for RGB. @throws SvcError 422 if the print profile needs an output profile that the options lack */
  function pressWith(output: OutputSettings, spots: readonly SpotColor[]) {
    try {
      const pressTask = pressFor(output, options)
      return pressTask && { ...pressTask, spots }
    } catch (error) {
      const findings = new Findings()
      findings.caught(error)
      throw refusal(findings.refusals)
    }
  }

  /** What all prints and preflights have in common. */
  const shared = { fit, cmykProfile: options.profile, maxPixels: megapixels * 1e6, maxPages: pages }

  return {
    /** How many designs are drawn at the same time. */
    atOnce: jobs,

    /** Whether exports are rendered here although there is an export service. */
    beforeService: options.beforeService ?? false,

    /** Whether PDFs can be made in the inks of a press: the host has an output profile for all of them or for some print profiles. */
    isForPress: canPress,

    /** Names of the output profiles that a print profile may choose. */
    outputProfiles: Object.keys(options.profiles ?? {}),

    /** Checks the settings of a print profile before it is saved. @throws SvcError 422 if files cannot be made by them */
    assertOutput: (output: OutputSettings) => void pressWith(output, []),

    /** Checks that another print may wait, before its job is created. @throws SvcError 503 */
    assertRoom: () => assertRoom(),

    /**
     * Draws the print file of a customization.
     * @param design JSON text
     * @throws SvcError 422 with every reason, 500 if the process crashed, 503 if too many are waiting
     */
    async print(
      design: string,
      { spots = [], isOnSheets = false, output = {}, client, progress, ...settings }: PrintSettings,
      signal: AbortSignal,
    ): Promise<Printed> {
      const task = {
        ...settings,
        ...shared,
        maxPicturePixels: await maxPicturePixels(),
        kind: 'print' as const,
        sheet: isOnSheets ? sheet : undefined,
        press: pressWith(output, spots),
        cropMarks: output.marks ?? settings.cropMarks,
      }
      return run(design, task, { seconds, client, signal, progress }, async (outcome) => {
        const { kind: _, ...printed } = writtenFile(outcome)
        const path = join(tempDir, `svc-print-${randomUUID()}`)
        await rename(printed.path, path)
        return { ...printed, path }
      })
    },

    /**
     * A view of a customization as PNG, at most `width` pixels wide; from the cache if it was drawn lately.
     * @param settings `key` identifies design, view and width in the cache; `client` is that of `PrintSettings`
     * @throws SvcError as `print` does
     */
    async preview(
      design: string,
      { key, client, ...settings }: { key: string; client: string; view: number; width: number },
      signal: AbortSignal,
    ): Promise<Buffer> {
      const cached = previews.get(key)
      if (cached) return cached
      const maxima = { maxPixels: previewPixels, maxPicturePixels: await maxPicturePixels() }
      const task = { kind: 'preview' as const, ...settings, ...maxima }
      const limits = { seconds: Math.min(seconds, previewSeconds), client, signal }
      const png = await run(design, task, limits, (outcome) => readFile(writtenFile(outcome).path))
      previews.set(key, png)
      return png
    },

    /**
     * What a print of the customization would be like, without printing it.
     * @throws SvcError as `print` does, except for refusals, which are findings here
     */
    async preflight(
      design: string,
      { minDpi, client, output = {}, format = 'svg-pdf', dpi = 300, mirror = false }: PreflightSettings,
      signal: AbortSignal,
    ): Promise<Preflight> {
      const task = {
        kind: 'preflight' as const,
        format,
        dpi,
        cropMarks: false,
        mirror,
        minDpi,
        includeFonts: false,
        includePictures: false,
        summary: false,
        ...shared,
        maxPicturePixels: await maxPicturePixels(),
        press: pressWith(output, []),
      }
      const limits = { seconds, cpuSeconds: Math.min(seconds, previewSeconds), client, signal }
      return run(design, task, limits, async (outcome) => {
        if (outcome.kind !== 'checked') throw new Error('A preflight gave a file.')
        return preflightOf(outcome.refusals, outcome.report)
      })
    },

    /** Removes the folders of tasks of processes that were killed; called from time to time. */
    sweep: () => removeAbandoned(tempDir),

    /** Ends all processes. */
    stop,
  }
}

/** The renderer of an app. */
export type Renderer = ReturnType<typeof createRenderer>

/** @throws Error if a package of the renderer is missing */
function assertInstalled(): void {
  try {
    requireBeside(import.meta.url).resolve('pdfkit')
  } catch {
    throw new Error('renderer: needs the package pdfkit; run "npm install pdfkit".')
  }
}
