// Jobs whose files the renderer of this server draws: new ones, and those that killed processes left unfinished.
import { invalidParams, SvcError } from '../core/errors.ts'
import { asciiName, fileNameOf, type NameTexts } from '../core/print-name.ts'
import { spotColors } from '../library/spot-colors.ts'
import { findingOf } from '../renderer/preflight-result.ts'
import type { OutputSettings } from '../renderer/press-settings.ts'
import { sentenceOf } from '../renderer/refusal.ts'
import type { Renderer } from '../renderer/renderer.ts'
import type { ProfileOutput } from '../settings/master-profile.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import type { JobCompleter } from './complete-job.ts'
import {
  designHash,
  dpiRange,
  dpiSetting,
  type ExportOrder,
  type ExportOverrides,
  exportSettingKeys,
  fileStemOf,
  printedDesign,
  printedItemOf,
  rendererMethod,
  settingsOfExport,
} from './export-request.ts'
import { endsJob, type HandedOver, type HandOverServices, moveJob } from './hand-over.ts'
import { type OrderOfJob, objectOf, orderOf } from './job-data.ts'
import type { PrintJob } from './print-job-reads.ts'
import type { printJobsRepository } from './print-jobs.ts'
import type { DrawFile, DrawnFile } from './store-file.ts'
import { type TicketDrawing, ticketDrawing } from './ticket-drawing.ts'

/** What the renderer needs to draw the file of a job. */
export interface DrawingServices {
  jobs: ReturnType<typeof printJobsRepository>
  completer: JobCompleter
  options: OptionsStore
  /** Pictures with a lower resolution cause a warning; undefined if the shop sets no limit. */
  minDpi: () => Promise<number | undefined>
  /** The settings of the print profile. */
  output: () => Promise<ProfileOutput>
  /** What a job prints, now; undefined if it was removed or is unreadable. */
  orderOfJob: (order: OrderOfJob) => Promise<Pick<ExportOrder, 'customization' | 'findings'> | undefined>
  /** The tickets of what a job prints, as HTML. */
  ticketsOf: (order: OrderOfJob, draw: TicketDrawing) => Promise<string>
  /** Names of files: the template, and the texts of its tags. */
  fileNames: FileNaming
}

/** The template of names of files, and the texts of its tags for some files. */
export interface FileNaming {
  template: () => Promise<string>
  textsOf: (
    files: readonly { order: OrderOfJob; jobId: number }[],
  ) => Promise<(file: { order: OrderOfJob; jobId: number }) => NameTexts>
}

interface Services extends DrawingServices, Omit<HandOverServices, 'jobs'> {
  renderer: Renderer
}

/** How the file of a job is drawn. */
type DrawSettings = Omit<ReturnType<typeof settingsOfExport>, 'cloud_webhook'>

/** After so many attempts that a killed process interrupted, the design is assumed to be the cause. */
const maxAttempts = 5

/** Draws jobs in this process; one instance for each context. */
export function drawnJobs(services: Services) {
  const { renderer, jobs, completer, options, minDpi, output, orderOfJob, fileNames, ticketsOf } = services

  /** How much is drawn of the jobs that this process draws, from 0 to 1, by their ids. */
  const progressById = new Map<number, number>()

  /** Completes the job with the file that `draw` draws. Never rejects. @returns as `endsJob` */
  function complete(job: PrintJob, draw: DrawFile): Promise<boolean> {
    const work = completer.make(job.guid, draw)
    return endsJob(work, services).finally(() => progressById.delete(job.id))
  }

  /** The template of the names of the job's files, and the texts of its tags. */
  async function fileNameOfJob(job: PrintJob, { orderType: type, orderId, itemId = 0 }: ExportOrder) {
    const file = { order: { type, orderId: String(orderId), itemId }, jobId: job.id }
    const [template, textsOf] = await Promise.all([fileNames.template(), fileNames.textsOf([file])])
    return { template, texts: textsOf(file) }
  }

  /** Draws an order with the renderer, in a temporary file. */
  async function draw(
    job: PrintJob,
    order: ExportOrder,
    drawSettings: DrawSettings,
    signal: AbortSignal,
  ): Promise<DrawnFile> {
    assertResolution(drawSettings.dpi)
    const fileName = await fileNameOfJob(job, order)
    const client = `${order.orderType} ${order.orderId}`
    const pressSettings = { ...(await output()), ...colorOf(drawSettings.color) }
    const { output_format: format, dpi } = drawSettings
    const print = { client, format, dpi, minDpi: await minDpi(), output: pressSettings }
    const { orderType: type, orderId, itemId = 0 } = order
    const ticket = drawSettings.ticket
      ? await ticketsOf({ type, orderId: String(orderId), itemId }, ticketDrawing(renderer, print, signal))
      : undefined
    const settings = {
      ...print,
      ticket,
      progress: (fraction: number) => void progressById.set(job.id, fraction),
      fileName,
      cropMarks: !drawSettings.hide_crop_marks,
      mirror: drawSettings.mirror ?? false,
      outlines: drawSettings.outlines ?? false,
      includeFonts: drawSettings.include_font_files,
      includePictures: drawSettings.include_images,
      summary: drawSettings.summary_json,
      isOnSheets: drawSettings.pages === 'sheet',
      // Only orders of the shop have items, and all of them are printed if no item is named.
      isBundle: order.orderType === 'wc' && order.itemId === undefined,
      spots: renderer.isForPress ? await spotColors(options) : [],
    }
    const printed = await renderer.print(order.customization, settings, signal)
    const { path, warnings, positions } = printed
    const findings = [...order.findings, ...warnings]
    const notes = {
      warnings: findings.map(sentenceOf),
      preflight: findings.map((finding) => findingOf('warning', finding)),
      ...(positions && { positions }),
    }
    const name = storedName(fileName) || `order-${fileStemOf(order)}`
    const extension = printed.type === 'jpeg' ? 'jpg' : printed.type
    return { path, type: printed.type, name: `${name}.${extension}`, notes }
  }

  /**
   * Creates the job, starts to draw, and resolves; drawing continues even if no request waits. If there is an unfinished job with the
   * same details, that one is drawn, unless another worker draws it already.
   * @throws SvcError 503 if too many designs wait, 400 for options that do not fit, 409 for a variation that is too long, what
   *   `order.check` and `order.onJobTaken` throw. What drawing throws, only the job records.
   */
  async function handOver(order: ExportOrder, overrides: ExportOverrides): Promise<HandedOver> {
    renderer.assertRoom()
    if (overrides.color === 'cmyk' && !renderer.isForPress)
      throw invalidParams({ color: 'must be rgb: no color profile is configured' })
    const [settings, profile] = await Promise.all([options.getMany(exportSettingKeys), output()])
    // The job does not store the URL, which may contain a secret.
    const { cloud_webhook: _, ...drawSettings } = settingsOfExport(overrides, settings, profile)
    if (drawSettings.pages === 'sheet' && drawSettings.output_format !== 'svg-pdf')
      throw invalidParams({
        pages: `sheet is for PDF (output_format svg-pdf), not for ${drawSettings.output_format}`,
      })
    const { variation_printful } = printedDesign(order.customization)
    const details = {
      ...printedItemOf(order),
      ...drawSettings,
      export_method: rendererMethod,
      design: designHash(order.customization),
      ...(variation_printful !== null && { variation_printful }),
    }
    const job = await jobs.takeOrCreate(details, ['pending', 'processing'], order)
    const processing = await moveJob(services, job, 'processing')
    const work = complete(job, (signal) => draw(job, order, drawSettings, signal))
    return { job: processing, isExpected: true, work }
  }

  /** Draws the file of a job that a killed process left. The job fails if its order changed, or after `maxAttempts` attempts. */
  async function drawAbandoned(job: PrintJob, attempts: number): Promise<void> {
    const details = objectOf(job.details) ?? {}
    const order = orderOf(details)
    const printed = order && (await orderOfJob(order).catch(unlessTemporary))
    if (printed instanceof SvcError) {
      await complete(job, () => Promise.reject(printed))
      return
    }
    const isSame = printed !== undefined && designHash(printed.customization) === details.design
    if (!order || !isSame || attempts >= maxAttempts) {
      const message =
        attempts >= maxAttempts
          ? `${attempts} attempts to draw the design were interrupted.`
          : printed === undefined
            ? 'The order was removed, or its design cannot be read any more, before its file was drawn.'
            : 'The order changed before its file was drawn; export it again.'
      // The completer fails the job with the error that drawing throws.
      await complete(job, () => Promise.reject(new SvcError('svc_render_failed', { message })))
      return
    }
    const orderToDraw = {
      orderId: Number(order.orderId),
      orderType: order.type,
      itemId: order.itemId || undefined,
      ...printed,
    }
    // The details of the job are the settings of its export.
    const drawSettings = {
      ...settingsOfExport(details, new Map()),
      include_images: details.include_images === true,
      hide_crop_marks: details.hide_crop_marks === true,
    }
    await complete(job, (signal) => draw(job, orderToDraw, drawSettings, signal))
  }

  return {
    handOver,

    /** How much is drawn of the jobs that this process draws, from 0 to 1, by their ids. */
    drawing: progressById as ReadonlyMap<number, number>,

    /** Resumes up to 20 jobs that killed processes left unfinished, as many at a time as the renderer draws at once. */
    async resume(stop: AbortSignal): Promise<void> {
      const abandoned = await jobs.abandoned(rendererMethod, 20)
      const workers = Array.from({ length: renderer.atOnce }, async () => {
        for (let next = abandoned.shift(); next && !stop.aborted; next = abandoned.shift())
          await drawAbandoned(next.job, next.attempts)
      })
      await Promise.all(workers)
    },
  }
}

/** The name in storage, in ASCII, without the customer, because the URL of the file may be passed on. */
const storedName = ({ template, texts }: { template: string; texts: NameTexts }): string =>
  asciiName(fileNameOf(template, { ...texts, customer: '' }))

/** For catch(): returns a refusal that a later attempt would meet again; throws other errors. */
function unlessTemporary(error: unknown): SvcError {
  if (error instanceof SvcError && error.statusCode !== 503) return error
  throw error
}

/** The caller's choice overrides the print profile. */
const colorOf = (color: ExportOverrides['color']): OutputSettings =>
  color === undefined ? {} : { color: color === 'rgb' ? 'rgb' : 'pdfx4' }

/** Stored settings may come from other software, and have not been validated. */
function assertResolution(dpi: number): void {
  const { minimum, maximum } = dpiRange
  if (dpi >= minimum && dpi <= maximum) return
  const range = `it must be between ${minimum} and ${maximum} (setting ${dpiSetting})`
  throw new SvcError('svc_render_failed', { message: `The resolution is ${dpi} dpi; ${range}.` })
}
