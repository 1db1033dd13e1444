// Exports without a service: the renderer makes the file of the job, and resumes jobs that killed processes left unfinished.
import { invalidParams, SvcError } from '../core/errors.ts'
import { asciiName, fileNameOf, type NameTexts } from '../core/print-name.ts'
import { spotColors } from '../library/stored-colors.ts'
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
  exportOptions,
  exportSettings,
  type HandedOver,
  identityOf,
  nameOf,
  printedParts,
  renderedHere,
} from './export-request.ts'
import { type OrderOfJob, objectOf, orderOf, type PrintJob } from './print-job-reads.ts'
import type { printJobsRepository } from './print-jobs.ts'
import type { DrawFile } from './store-file.ts'
import { type TicketDrawing, ticketDrawing } from './ticket-drawing.ts'

export interface DrawingServices {
  jobs: ReturnType<typeof printJobsRepository>
  completer: JobCompleter
  options: OptionsStore
  /** Pictures with a lower resolution cause a warning; undefined if the shop sets no limit. */
  minDpi: () => Promise<number | undefined>
  /** How the print profile wants print files. */
  output: () => Promise<ProfileOutput>
  /** What a job prints; undefined if it is gone or unreadable. */
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

interface Services extends DrawingServices {
  renderer: Renderer
  settle: (job: PrintJob, status: 'processing') => Promise<PrintJob>
  /** Resolves when the work has ended, to true if no file will come; never rejects. */
  ended: (work: Promise<unknown>) => Promise<boolean>
}

/** How the file of a job is made. */
type DrawSettings = Omit<ReturnType<typeof exportOptions>, 'cloud_webhook'>

/** After so many interrupted attempts the design is assumed to be the cause. */
const maxAttempts = 5

export function drawnJobs(services: Services) {
  const {
    renderer,
    jobs,
    completer,
    options,
    settle,
    ended,
    minDpi,
    output,
    orderOfJob,
    fileNames,
    ticketsOf,
  } = services

  /** How much is drawn of the jobs that this process draws, from 0 to 1, by their ids. */
  const drawing = new Map<number, number>()

  /** Makes the file of the job, and notes how far it is. */
  function drawn(job: PrintJob, draw: DrawFile): Promise<boolean> {
    return ended(completer.make(job.guid, draw)).finally(() => drawing.delete(job.id))
  }

  /** The template of the names of the job's files, and the texts of its tags. */
  async function naming(job: PrintJob, { orderType: type, orderId, itemId = 0 }: ExportOrder) {
    const file = { order: { type, orderId: String(orderId), itemId }, jobId: job.id }
    const [template, textsOf] = await Promise.all([fileNames.template(), fileNames.textsOf([file])])
    return { template, texts: textsOf(file) }
  }

  const drawerOf =
    (job: PrintJob, order: ExportOrder, drawSettings: DrawSettings): DrawFile =>
    async (signal) => {
      assertResolution(drawSettings.dpi)
      const fileName = await naming(job, order)
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
        progress: (done: number) => void drawing.set(job.id, done),
        fileName,
        cropMarks: !drawSettings.hide_crop_marks,
        mirror: drawSettings.mirror ?? false,
        outlines: drawSettings.outlines ?? false,
        includeFonts: drawSettings.include_font_files,
        includePictures: drawSettings.include_images,
        summary: drawSettings.summary_json,
        isOnSheets: drawSettings.pages === 'sheet',
        // Only orders of the shop have items, and all of them are printed where none is named.
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
      const name = storedName(fileName) || `order-${nameOf(order)}`
      const extension = printed.type === 'jpeg' ? 'jpg' : printed.type
      return { path, type: printed.type, name: `${name}.${extension}`, notes }
    }

  /** Creates the job, then draws, which continues even if nobody waits. The same call resumes the work of a dead process. */
  async function handOver(order: ExportOrder, overrides: ExportOverrides): Promise<HandedOver> {
    renderer.assertRoom()
    if (overrides.color === 'cmyk' && !renderer.isForPress)
      throw invalidParams({ color: 'must be rgb: no color profile is configured' })
    const [settings, profile] = await Promise.all([options.getMany(exportSettings), output()])
    const { cloud_webhook: _unused, ...drawSettings } = exportOptions(overrides, settings, profile)
    if (drawSettings.pages === 'sheet' && drawSettings.output_format !== 'svg-pdf')
      throw invalidParams({
        pages: `sheet is for PDF (output_format svg-pdf), not for ${drawSettings.output_format}`,
      })
    const { variation_printful } = printedParts(order.customization)
    const details = {
      ...identityOf(order),
      ...drawSettings,
      export_method: renderedHere,
      design: designHash(order.customization),
      ...(variation_printful !== null && { variation_printful }),
    }
    const job = await jobs.takePending(details, ['pending', 'processing'], order)
    const taken = await settle(job, 'processing')
    return { job: taken, isExpected: true, fetched: drawn(job, drawerOf(job, order, drawSettings)) }
  }

  /** Draws the file of a job that a dead process left, if its order is still the same. */
  async function again(job: PrintJob, attempts: number): Promise<void> {
    const details = objectOf(job.details) ?? {}
    const order = orderOf(details)
    const printed = order && (await orderOfJob(order))
    const isSame = printed !== undefined && designHash(printed.customization) === details.design
    if (order && isSame && attempts < maxAttempts) {
      const { type: orderType, itemId } = order
      const orderToDraw = {
        orderId: Number(order.orderId),
        orderType,
        itemId: itemId || undefined,
        ...printed,
      }
      const drawSettings = {
        ...exportOptions(details, new Map()),
        include_images: details.include_images === true,
        hide_crop_marks: details.hide_crop_marks === true,
      }
      await drawn(job, drawerOf(job, orderToDraw, drawSettings))
      return
    }
    const message =
      attempts >= maxAttempts
        ? `${attempts} attempts to draw the design were interrupted.`
        : printed === undefined
          ? 'The order was removed, or its design cannot be read any more, before its file was drawn.'
          : 'The order changed before its file was drawn; export it again.'
    await drawn(job, async () => {
      throw new SvcError('svc_render_failed', { message })
    })
  }

  return {
    handOver,
    drawing,

    /** Resumes jobs that killed processes left unfinished, as many at a time as are drawn at once. */
    async resume(stop: AbortSignal): Promise<void> {
      const abandoned = await jobs.abandoned(renderedHere, 20)
      const some = Array.from({ length: renderer.atOnce }, async () => {
        for (let next = abandoned.shift(); next && !stop.aborted; next = abandoned.shift())
          await again(next.job, next.attempts)
      })
      await Promise.all(some)
    },
  }
}

/** The name in storage, in ASCII. Its URL may be passed on, so the customer is not in it. */
const storedName = ({ template, texts }: { template: string; texts: NameTexts }): string =>
  asciiName(fileNameOf(template, { ...texts, customer: '' }))

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
