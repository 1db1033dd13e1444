// Prints one item automatically, for auto-printing.ts: checks that it is still to be printed and that no job has printed it, then hands
// it over, and records the outcome in its row.
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

/** The services that printing an item needs. */
export interface PrintingItems {
  rows: AutoPrintRows
  orders: Orders
  jobs: ReturnType<typeof jobOverview>
  exporter: Exporter
  options: OptionsStore
  /**
   * Printable states of shop orders in the whole API, for findings alone. Automatic printing may have states of its own
   * (`AutoPrintRules.statuses`): those decide what is printed, and an item printed by them may get the finding `order-status`.
   */
  printable: () => Promise<readonly string[]>
  warn: (details: object, message: string) => void
}

/** Codes of errors that pass without a change of the order or the server: such an attempt does not count as failed. */
const busyCodes = ['svc_renderer_busy', 'svc_unavailable']
/** Seconds until the next attempt after one of them. */
const busyPause = 10
/**
 * Seconds until the next attempt after each failure of the server; after one more the item is `failed`. Only an export service that
 * does not respond is tried again without end, always after the last of these pauses.
 */
const pauses = [10, 30, 120, 600, 1800]

/**
 * Prints an item that this process has leased, and records in its row what became of it.
 * @returns the job, if the item was handed over; `isBusy` if other items cannot be printed at the moment either
 */
export async function printItem(
  services: PrintingItems,
  rules: AutoPrintRules,
  item: LeasedItem,
): Promise<{ isBusy: boolean; job?: HandedOver }> {
  const { rows, exporter } = services
  try {
    const order = await orderToPrint(services, rules, item)
    if (!order) return { isBusy: false }
    const onJobTaken: ExportOrder['onJobTaken'] = (trx, jobId) => rows.recordJob(trx, item, jobId)
    const handedOver = await exporter.handOver({ ...order, onJobTaken }, overridesOf(rules, item))
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
    await recordError(services, item, error)
    return { isBusy: busyCodes.includes(error.code) }
  }
}

/** Records why an attempt ended without a job, and when the next one is due. */
async function recordError({ rows, warn }: PrintingItems, item: LeasedItem, error: SvcError): Promise<void> {
  const { message } = error
  if (busyCodes.includes(error.code))
    await rows.retryLater(item, { seconds: busyPause, isFailure: false, error: message })
  // The job exists, and its status says why it failed.
  else if (error.code === 'svc_export_refused') await rows.end(item, 'printed')
  else if (error.statusCode >= 500 && item.attempts < pauses.length)
    await rows.retryLater(item, { seconds: pauseOf(item), isFailure: true, error: message })
  else {
    await rows.end(item, 'failed', { error: message })
    const { type, orderId, itemId } = item
    const details = { type, order: orderId, item: itemId, reason: message }
    warn(details, 'An item could not be printed automatically.')
  }
}

const pauseOf = ({ attempts }: LeasedItem) => pauses[Math.min(attempts, pauses.length - 1)] ?? busyPause

/**
 * The order to hand over for an item. Undefined if nothing is to be printed; its row is then ended, or deleted if the order is no longer
 * in a printable state.
 */
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
    const hasNoPieces = bought?.quantity != null && bought.quantity - bought.refunded <= 0
    if (!hasNoPieces) {
      const name = { type, id: orderId, itemId: itemId || undefined }
      const order = await itemToPrint({ orders, printable }, name, overridesOf(rules, item))
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

/**
 * Id of the job by which the item counts as printed; undefined if there is none. It is the job of an earlier attempt, whatever became of
 * it, or a job that has not failed and prints the same design in the same format. A pending job of an export service does not count: the
 * service has not accepted it, and the next attempt hands it over again.
 */
async function existingJob(
  { jobs, options }: PrintingItems,
  rules: AutoPrintRules,
  item: LeasedItem,
  { customization }: ExportOrder,
): Promise<number | undefined> {
  const { type, orderId, itemId, jobId } = item
  const [history, stored] = await Promise.all([
    jobs.history({ type, id: orderId }),
    options.getMany(exportSettingKeys),
  ])
  const { output_format: format } = settingsOfExport(overridesOf(rules, item), stored)
  const hash = designHash(customization)
  const sameJob = history.find(({ id, order, status, exportSettings }) => {
    const isStarted = status !== 'pending' || exportSettings.export_method === rendererMethod
    if (id === jobId) return isStarted
    // Jobs of an export service do not name their design, and count for any.
    const isSame =
      (exportSettings.design ?? hash) === hash && (exportSettings.output_format ?? format) === format
    return order?.itemId === itemId && isSame && isStarted && status !== 'failed'
  })
  // A job of an earlier attempt that was deleted counts, too: the item is not printed again.
  const isDeleted = jobId > 0 && !history.some((job) => job.id === jobId)
  return sameJob?.id ?? (isDeleted ? jobId : undefined)
}

/** Whole orders of the shop are printed on sheets, items of them never; other orders as the rules say. */
function overridesOf({ overrides: { pages, ...overrides } }: AutoPrintRules, { type, itemId }: LeasedItem) {
  const isSheet = type === 'wc' ? itemId === 0 : pages === 'sheet'
  return isSheet ? { ...overrides, pages: 'sheet' as const } : overrides
}
