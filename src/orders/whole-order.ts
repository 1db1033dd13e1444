// Reads what is printed of an order: the design of one item, or the designs of all items as one.
import { SvcError, unreadableValue } from '../core/errors.ts'
import { maxStored } from '../db/stored-json.ts'
import { isWithinLimits } from '../json/text.ts'
import type { OrderOfJob } from '../print/job-data.ts'
import { bundleOf, type DesignPart } from '../renderer/design.ts'
import type { Finding } from '../renderer/refusal.ts'
import type { Orders, OrdersOfType } from './orders.ts'
import { orderFindings, piecesOf } from './printable.ts'

/** A design to print, as JSON text, and findings about the order itself. */
export interface PrintedOrder {
  customization: string
  findings: Finding[]
}

/**
 * Returns a function that reads what a job prints: an item, or the whole order. It returns undefined if the order was deleted, nothing of
 * it is left to print, or the design of the item cannot be read.
 * @throws SvcError 500 if a design of a whole order cannot be read, 413 as `wholeOrder` does
 */
export const orderOfJob =
  (orders: Orders, printable: () => Promise<readonly string[]>) =>
  async ({ type, orderId, itemId }: OrderOfJob): Promise<PrintedOrder | undefined> => {
    try {
      const source = orders.of(type)
      const id = Number(orderId)
      if (source.type === 'wc' && itemId === 0) return await wholeOrder(source, id, await printable())
      const item = itemId > 0 ? itemId : undefined
      const [{ values }, findings] = await Promise.all([
        source.get(id, { itemId: item }),
        findingsOf(source, id, item, printable),
      ])
      const json = values[0]?.json
      return json === undefined ? undefined : { customization: json, findings }
    } catch (error) {
      if (error instanceof SvcError && error.statusCode < 500 && error.statusCode !== 413) return undefined
      throw error
    }
  }

/** The findings about the order that a print of it, or of one item, reports. @throws SvcError 404 when there is no order */
export async function findingsOf(
  orders: OrdersOfType,
  orderId: number,
  itemId: number | undefined,
  printable: () => Promise<readonly string[]>,
): Promise<Finding[]> {
  const [facts, statuses] = await Promise.all([orders.facts(orderId), printable()])
  return orderFindings(orders.type, facts, itemId, statuses)
}

/** The parts of an order to print, and the findings about its state and quantities. */
export interface OrderParts {
  /** Of the order, with its number for people. */
  name: string
  /** With the ids of their items; null if orders have no items. */
  parts: (DesignPart & { itemId: number | null })[]
  findings: Finding[]
  status: string
}

/**
 * The items of an order with their designs, each as often as it was ordered less what was refunded. Items of which nothing is
 * left, and those without a whole number of pieces, are left out with a finding.
 * @param printable states of shop orders
 * @throws SvcError 404 if there is no order with designs, 500 if one of them cannot be read
 */
export async function partsOf(
  orders: OrdersOfType,
  orderId: number,
  printable: readonly string[],
): Promise<OrderParts> {
  const [{ values }, facts] = await Promise.all([orders.get(orderId, {}), orders.facts(orderId)])
  const name = `Order ${facts.number ?? orderId}`
  const parts = values.flatMap(({ stored: { itemId, location }, json }): OrderParts['parts'] => {
    if (json === undefined) throw unreadableValue(location)
    const bought = itemId === null ? undefined : facts.items?.get(itemId)
    const copies = bought ? (piecesOf(bought) ?? 0) : 1
    const title = itemId === null ? name : `${name}, item ${itemId}`
    return copies > 0 ? [{ itemId, title, copies, design: json }] : []
  })
  const findings = orderFindings(orders.type, facts, undefined, printable)
  return { name, parts, findings, status: facts.status }
}

/**
 * All items of an order as one design.
 * @throws as `partsOf` does; SvcError 422 if nothing of the order is left to print, 413 if the designs are too large together
 */
export async function wholeOrder(
  orders: OrdersOfType,
  orderId: number,
  printable: readonly string[],
): Promise<PrintedOrder> {
  const { parts, findings } = await partsOf(orders, orderId, printable)
  if (parts.length === 0)
    throw new SvcError('svc_render_refused', {
      message: `Nothing of the order ${orderId} is left to print: ${findings.map(({ message }) => message).join(' ')}`,
    })
  const customization = bundleOf(parts)
  if (customization.length <= maxStored && isWithinLimits(customization)) return { customization, findings }
  throw new SvcError('svc_list_too_large', {
    message: `The designs of the order ${orderId} are too large together; print its items one by one.`,
  })
}
