// Prints one item automatically: checks that it is still to be printed and that no print job prints it, then hands it over once.
import { SvcError } from '../core/errors.ts'
import type { Exporter } from '../print/export.ts'
import {
  designHash,
  type ExportOrder,
  exportSettingKeys,
  rendererMethod,
  settingsOfExport,
} from '../print/export-request.ts'
import type { HandedOver } from '../print/hand-over.ts'
import type { jobOverview } from '../print/job-overview.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import type { AutoPrintRules } from './auto-print-options.ts'
import { type AutoPrintRows, type LeasedItem, LeaseLost } from './auto-print-rows.ts'
import type { Orders } from './orders.ts'
import { itemToPrint } from './print-again.ts'
import { isPrintable } from './printable.ts'

/** What printing an item needs. */
export interface PrintingItems {
  rows: AutoPrintRows
  orders: Orders
  jobs: ReturnType<typeof jobOverview>
  exporter: Exporter
  options: OptionsStore
  /** Printable states of shop orders. */
  printable: () => Promise<readonly string[]>
  warn: (details: object, message: string) => void
}

/** Seconds until the next attempt after a 503: the renderer, the service or the database is busy, or the order was changed. */
const busyPause = 10
/** Seconds until the next attempt after each failure. */
const pauses = [10, 30, 120, 600, 1800]

/**
 * Prints an item that this process has leased, and records in its row what became of it.
 * @returns the job that was made, if one was; `isBusy` if nothing can be drawn at the moment
 */
export async function printItem(
  services: PrintingItems,
  rules: AutoPrintRules,
  item: LeasedItem,
): Promise<{ isBusy: boolean; job?: HandedOver }> {
  const { rows, exporter, warn } = services
  try {
    const order = await orderToPrint(services, rules, item)
    if (!order) return { isBusy: false }
    const overrides = overridesOf(rules, item)
    const onJobTaken: ExportOrder['onJobTaken'] = (trx, jobId) => rows.recordJob(trx, item, jobId)
    const handedOver = await exporter.handOver({ ...order, onJobTaken }, overrides)
    const { id: jobId, status } = handedOver.job
    // The export service did not respond: the next attempt hands the same job over.
    if (status === 'pending')
      await rows.retryLater(item, {
        seconds: pauseOf(item),
        isFailure: true,
        error: 'The export service did not respond.',
      })
    else await rows.end(item, 'printed', { jobId })
    return { isBusy: false, job: handedOver }
  } catch (error) {
    if (error instanceof LeaseLost) return { isBusy: false }
    if (!(error instanceof SvcError)) throw error
    const isBusy = error.statusCode === 503
    if (isBusy) await rows.retryLater(item, { seconds: busyPause, isFailure: false, error: error.message })
    // The job exists, and its status says why it failed.
    else if (error.code === 'svc_export_refused') await rows.end(item, 'printed')
    else if (error.statusCode >= 500 && item.attempts < pauses.length)
      await rows.retryLater(item, { seconds: pauseOf(item), isFailure: true, error: error.message })
    else {
      await rows.end(item, 'failed', { error: error.message })
      const { type, orderId, itemId } = item
      warn(
        { type, order: orderId, item: itemId, reason: error.message },
        'An item could not be printed automatically.',
      )
    }
    return { isBusy }
  }
}

const pauseOf = ({ attempts }: LeasedItem) => pauses[Math.min(attempts, pauses.length - 1)] ?? busyPause

/** The order to hand over for an item; undefined if it is not to be printed, or was printed, which is then recorded in its row. */
async function orderToPrint(
  services: PrintingItems,
  rules: AutoPrintRules,
  item: LeasedItem,
): Promise<ExportOrder | undefined> {
  const { rows, orders, printable } = services
  const { type, orderId, itemId } = item
  try {
    const { status, items } = await orders.of(type).facts(orderId)
    if (!isPrintable(type, status, rules.statuses)) {
      await rows.forget(item)
      return undefined
    }
    const bought = items?.get(itemId)
    const isRefunded = bought?.quantity != null && bought.quantity - bought.refunded <= 0
    const name = { type, id: orderId, itemId: itemId || undefined }
    const order = isRefunded
      ? undefined
      : await itemToPrint({ orders, printable }, name, overridesOf(rules, item))
    if (order) {
      const jobId = await existingJob(services, rules, item, order)
      if (jobId === undefined) return order
      await rows.end(item, 'printed', { jobId })
      return undefined
    }
  } catch (error) {
    // The order was deleted or refunded, or it has no design.
    const isEmpty = error instanceof SvcError && [404, 422].includes(error.statusCode)
    if (!isEmpty) throw error
  }
  await rows.end(item, 'empty')
  return undefined
}

/** Id of a job that has printed, or prints, this design in the same format; undefined if there is none. */
async function existingJob(
  { jobs, options }: PrintingItems,
  rules: AutoPrintRules,
  item: LeasedItem,
  { customization }: ExportOrder,
): Promise<number | undefined> {
  const { type, orderId: id, itemId, jobId } = item
  const [history, settings] = await Promise.all([
    jobs.history({ type, id }),
    options.getMany(exportSettingKeys),
  ])
  const { output_format: format } = settingsOfExport(overridesOf(rules, item), settings)
  const hash = designHash(customization)
  const sameJob = history.find(({ id, order, status, exportSettings: settings }) => {
    const isStarted = status !== 'pending' || settings.export_method === rendererMethod
    if (id === jobId) return isStarted
    const isSame = (settings.design ?? hash) === hash && (settings.output_format ?? format) === format
    return order?.itemId === itemId && isSame && isStarted && status !== 'failed'
  })
  // The job of an earlier attempt that was deleted counts: the item is not printed again.
  const isDeleted = jobId > 0 && !history.some((job) => job.id === jobId)
  return sameJob?.id ?? (isDeleted ? jobId : undefined)
}

/** Whole orders of the shop are printed on sheets, items of them never; other orders as the rules say. */
function overridesOf({ overrides: { pages, ...rest } }: AutoPrintRules, { type, itemId }: LeasedItem) {
  const isSheet = type === 'wc' ? itemId === 0 : pages === 'sheet'
  return isSheet ? { ...rest, pages: 'sheet' as const } : rest
}
