// Prints an item of an order, prints the item of a job again, and retries a failed job: for routes and pages; automatic printing uses
// `itemToPrint`.
import { SvcError } from '../core/errors.ts'
import type { Exporter } from '../print/export.ts'
import { colorModes, type ExportOrder, type ExportOverrides, outputFormats } from '../print/export-request.ts'
import type { HandedOver } from '../print/hand-over.ts'
import { type JobView, jobKey, type jobOverview } from '../print/job-overview.ts'
import type { Orders } from './orders.ts'
import { findingsOf, wholeOrder } from './whole-order.ts'

interface Item {
  /** As it was requested. */
  type: string
  id: number
  itemId: number | undefined
}

interface Services {
  orders: Orders
  /** Printable states of shop orders. */
  printable: () => Promise<readonly string[]>
  exporter: Pick<Exporter, 'handOver'>
}

/**
 * What is handed over of an item; on sheets, without an item, all items of an order.
 * @throws SvcError 400, 404, 500 if a design cannot be read
 */
export async function itemToPrint(
  { orders, printable }: Pick<Services, 'orders' | 'printable'>,
  { type: name, id, itemId }: Item,
  { pages }: ExportOverrides,
): Promise<ExportOrder> {
  const source = orders.of(name)
  const { type, design, unchanged } = source
  const order = { orderId: id, orderType: type, itemId }
  if (pages === 'sheet' && type === 'wc' && itemId === undefined)
    return { ...order, ...(await wholeOrder(source, id, await printable())) }
  const { customization, state } = await design(id, itemId)
  const findings = await findingsOf(source, id, itemId, printable)
  const check = unchanged(id, state)
  return { ...order, customization, findings, ...(check && { check }) }
}

/** Hands an item over to the renderer or the export service, as `Exporter.handOver` does. @throws SvcError as `export_order` does */
export const print = async (services: Services, item: Item, overrides: ExportOverrides) =>
  services.exporter.handOver(await itemToPrint(services, item, overrides), overrides)

/** Prints the item of a job again, with the settings of the job. @throws SvcError as `export_order` does */
export async function printAgain(
  services: Services,
  { order, exportSettings }: JobView,
): Promise<HandedOver> {
  const id = Number(order?.orderId)
  if (!order || !Number.isSafeInteger(id))
    throw new SvcError('svc_order_data_not_found', { message: 'The print job names no order.' })
  return print(
    services,
    { type: order.type, id, itemId: order.itemId || undefined },
    overridesOf(exportSettings),
  )
}

/** Prints the item of a failed job again. @throws SvcError 409 if it has not failed, or a newer job has replaced it */
export async function retry(
  { jobs, ...services }: Services & { jobs: ReturnType<typeof jobOverview> },
  job: JobView,
): Promise<HandedOver> {
  const { order, status, id } = job
  if (status !== 'failed')
    throw new SvcError('svc_print_job_not_failed', {
      message: `The print job is ${status}; only failed ones are retried.`,
    })
  const newest = order && (await jobs.newest([{ type: order.type, id: Number(order.orderId) }]))
  const newer = newest?.get(jobKey(order))
  if (newer && newer.id > id)
    throw new SvcError('svc_print_job_not_failed', {
      message: `The print job ${newer.guid} has already replaced this one.`,
      data: { print_job_id: newer.guid },
    })
  return printAgain(services, job)
}

/** The overrides that the details of a job contain, so that a repetition prints the same. */
function overridesOf(settings: JobView['exportSettings']): ExportOverrides {
  const { dpi, include_font_files: fonts, summary_json: summary, pages } = settings
  const format = outputFormats.find((name) => name === settings.output_format)
  const mode = colorModes.find((name) => name === settings.color)
  return {
    ...(format && { output_format: format }),
    ...(typeof dpi === 'number' && { dpi }),
    ...(typeof fonts === 'boolean' && { include_font_files: fonts }),
    ...(typeof summary === 'boolean' && { summary_json: summary }),
    ...(pages === 'sheet' && { pages }),
    ...(mode && { color: mode }),
    // A job is made again as it was, whatever the settings are now.
    mirror: settings.mirror === true,
    outlines: settings.outlines === true,
    ...(settings.ticket === true && { ticket: true }),
  }
}
