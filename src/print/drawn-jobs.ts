// Exports without a service: the renderer makes the file of the job, and resumes jobs that killed processes left unfinished.
import { createHash } from 'node:crypto'
import { invalidParams, SvcError } from '../core/errors.ts'
import { spotColors } from '../library/stored-colors.ts'
import type { OutputSettings } from '../renderer/press-settings.ts'
import type { Renderer } from '../renderer/renderer.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import type { JobCompleter } from './complete-job.ts'
import { type ExportOverrides, exportOptions, exportSettings, printedParts } from './export-request.ts'
import { type ExportOrder, type HandedOver, nameOf } from './hand-over.ts'
import { type OrderOfJob, objectOf, orderOf } from './print-job-json.ts'
import type { PrintJob } from './print-job-reads.ts'
import type { printJobsRepository } from './print-jobs.ts'
import { makerOf } from './render-file.ts'
import type { Maker } from './store-file.ts'

interface Services {
  renderer: Renderer
  jobs: ReturnType<typeof printJobsRepository>
  completer: JobCompleter
  options: OptionsStore
  settle: (job: PrintJob, status: 'processing') => Promise<PrintJob>
  /** Resolves when the work has ended: whether no file is to be expected; never rejects. */
  ended: (work: Promise<unknown>) => Promise<boolean>
  minDpi: () => Promise<number | undefined>
  output: () => Promise<OutputSettings>
  /** JSON text of an order's customization; undefined if it is gone or unreadable. */
  customizationOf: (order: OrderOfJob) => Promise<string | undefined>
}

/** `export_method` of jobs that are not sent to a service. */
const renderedHere = 'renderer'

/** After so many interrupted attempts the design is assumed to be the cause. */
const maxAttempts = 5

/** Only orders of the shop have items, and all of them are printed where none is named. */
const isWholeOrder = (type: string | undefined, itemId: number | undefined) =>
  type === 'wc' && itemId === undefined

const hashOf = (customization: string) => createHash('sha256').update(customization).digest('hex')

/** The part of the details of a job that says how its file is made. */
function howOf(details: Record<string, unknown>, usual: ReturnType<typeof exportOptions>) {
  const isTrue = (name: string) => details[name] === true
  return {
    ...usual,
    include_images: isTrue('include_images'),
    hide_crop_marks: isTrue('hide_crop_marks'),
  }
}

export function drawnJobs(services: Services) {
  const { renderer, jobs, completer, options, settle, ended, minDpi, output, customizationOf } = services

  const spots = () => spotColors(options)
  /** How much is drawn of the jobs that this process draws, from 0 to 1, by their ids. */
  const drawing = new Map<number, number>()

  /** Makes the file of the job, and notes how far it is. */
  function drawn(job: PrintJob, make: Maker): Promise<boolean> {
    return ended(completer.make(job.guid, make)).finally(() => drawing.delete(job.id))
  }
  const noteOf = (job: PrintJob) => (done: number) => void drawing.set(job.id, done)

  /** Creates the job, then draws, which continues even if nobody waits. The same call resumes the work of a dead process. */
  async function handOver(order: ExportOrder, overrides: ExportOverrides): Promise<HandedOver> {
    renderer.assertRoom()
    if (overrides.color === 'cmyk' && !renderer.isForPress)
      throw invalidParams({ color: 'must be rgb: no color profile is configured' })
    const { cloud_webhook: _unused, ...how } = exportOptions(overrides, await options.getMany(exportSettings))
    if (how.pages === 'sheet' && how.output_format !== 'svg-pdf')
      throw invalidParams({ pages: `sheet is for PDF (output_format svg-pdf), not for ${how.output_format}` })
    const { variation_printful } = printedParts(order.customization)
    const { orderId: order_id, itemId, orderType: order_type } = order
    const job = await jobs.takePending(
      {
        order_id,
        order_type,
        item_id: itemId ?? null,
        ...how,
        export_method: renderedHere,
        design: hashOf(order.customization),
        ...(variation_printful !== null && { variation_printful }),
      },
      ['pending', 'processing'],
      order.check,
    )
    const taken = await settle(job, 'processing')
    const make = makerOf({
      ...{ renderer, how, minDpi, spots, output },
      design: order.customization,
      isWhole: isWholeOrder(order_type, itemId),
      name: nameOf(order),
      progress: noteOf(job),
    })
    return { job: taken, isExpected: true, fetched: drawn(job, make) }
  }

  /** Draws the file of a job that a dead process left, if its order is still the same. */
  async function again(job: PrintJob, attempts: number): Promise<void> {
    const details = objectOf(job.details) ?? {}
    const order = orderOf(job.details)
    const customization = order && (await customizationOf(order))
    const isSame = customization !== undefined && hashOf(customization) === details.design
    const reason =
      attempts >= maxAttempts
        ? `${attempts} attempts to draw the design were interrupted.`
        : 'The order changed before its file was drawn; export it again.'
    const fail = async () => {
      throw new SvcError('svc_render_failed', { message: reason })
    }
    const itemId = order && order.itemId > 0 ? order.itemId : undefined
    const name = nameOf({ orderId: Number(order?.orderId), itemId })
    const how = exportOptions(details, new Map())
    const isDrawn = isSame && attempts < maxAttempts
    const make = isDrawn
      ? makerOf({
          ...{ renderer, design: customization, isWhole: isWholeOrder(order?.type, itemId) },
          ...{ how: howOf(details, how), name, minDpi, spots, output },
          progress: noteOf(job),
        })
      : fail
    await drawn(job, make)
  }

  return {
    handOver,
    drawing,

    /** Resumes jobs that killed processes left unfinished, as many at a time as are drawn at once. */
    async resume(stop: AbortSignal): Promise<void> {
      const left = await jobs.abandoned(renderedHere, 20)
      const some = Array.from({ length: renderer.atOnce }, async () => {
        for (let next = left.shift(); next && !stop.aborted; next = left.shift())
          await again(next.job, next.attempts)
      })
      await Promise.all(some)
    },
  }
}
