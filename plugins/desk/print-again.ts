// Printing from the desk, by the same steps as the operation `export_order`.
import { SvcError } from '../../src/core/errors.ts'
import type { OrderType } from '../../src/orders/orders.ts'
import { type ExportOverrides, outputFormats } from '../../src/print/export-request.ts'
import type { JobView } from '../../src/print/job-overview.ts'
import type { Desk } from './desk.ts'
import { orderNamed } from './names.ts'

interface Item {
  type: OrderType
  id: number
  itemId: number | undefined
}

/** Hands the item over to be drawn, which continues afterwards. @throws SvcError as `export_order` does */
export async function print(
  { context, orders }: Pick<Desk, 'context' | 'orders'>,
  { type, id: orderId, itemId }: Item,
  wishes: ExportOverrides,
): Promise<void> {
  const { design, unchanged } = orders.of(type)
  const found = await design(orderId, itemId)
  const check = unchanged(orderId, found)
  const { customization } = found
  const order = { orderId, orderType: type, itemId, customization, ...(check && { check }) }
  await context.exporter.handOver(order, wishes)
  context.totals.forget()
}

/** The same once more, as a job of the same order was made. */
export async function printAgain(
  desk: Pick<Desk, 'context' | 'orders'>,
  { order, how }: JobView,
): Promise<void> {
  if (!order) throw new SvcError('svc_order_data_not_found', { message: 'The job names no order.' })
  const { type, id } = orderNamed(order.type, order.orderId)
  await print(desk, { type, id, itemId: order.itemId || undefined }, wishesOf(how))
}

/** The wishes that the details of a job contain. */
function wishesOf(how: Record<string, unknown>): ExportOverrides {
  const { output_format: format, dpi, include_font_files: fonts, summary_json: summary } = how
  const known = outputFormats.find((each) => each === format)
  return {
    ...(known && { output_format: known }),
    ...(typeof dpi === 'number' && { dpi }),
    ...(typeof fonts === 'boolean' && { include_font_files: fonts }),
    ...(typeof summary === 'boolean' && { summary_json: summary }),
  }
}
