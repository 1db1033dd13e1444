// The items of a batch: the orders that its address names, and the items that its form has chosen.
import { SvcError } from '../../src/core/errors.ts'
import { fromJson } from '../../src/json/parse.ts'
import type { ItemValue } from '../../src/orders/item-values.ts'
import { isToPrint, type RoomItem, type RoomOrder } from '../../src/orders/print-room.ts'
import { type ItemRef, itemKey } from '../../src/orders/print-states.ts'
import type { OrderType } from '../../src/orders/source.ts'
import { designHash } from '../../src/print/export-request.ts'
import type { JobView } from '../../src/print/job-overview.ts'
import { entriesFinding, viewsOf } from '../../src/renderer/design.ts'
import { findingOf, type Preflight } from '../../src/renderer/preflight-result.ts'
import { idIn, typeIn } from './design-ref.ts'
import type { Desk } from './desk.ts'

/** The most orders of a batch, and the most items of it that a page shows: as many as the print room marks at once. */
const [maxOrders, maxItems] = [200, 500]

/** An item of a batch with its order. */
export interface BatchItem {
  order: RoomOrder
  item: RoomItem
}

/** An order that a batch contains. */
export type OrderRef = { type: OrderType; id: number }

/** The orders in a list such as `wc:12,gf:3`, each once; names of other forms are ignored. @throws SvcError 400 for too many */
export function ordersIn(text: string): OrderRef[] {
  const refs = text.split(',').flatMap((name) => {
    const [type = '', id = ''] = name.split(':')
    const [orderType, number] = [typeIn(type), idIn(id)]
    return orderType && number !== undefined ? [{ type: orderType, id: number }] : []
  })
  const unique = [...new Map(refs.map((ref) => [`${ref.type}:${ref.id}`, ref])).values()]
  if (unique.length > maxOrders) throw tooMany()
  return unique
}

/** The orders as a text such as `wc:12,gf:3`; `ordersIn` reads it. */
export const orderList = (refs: readonly OrderRef[]) => refs.map(({ type, id }) => `${type}:${id}`).join(',')

/** The items in values such as `wc:12:34`, each once. */
export function itemsIn(values: readonly string[]): ItemRef[] {
  const refs = values.flatMap((value) => {
    const [type = '', id = '', item = ''] = value.split(':')
    const [orderType, number] = [typeIn(type), idIn(id)]
    return orderType && number !== undefined ? [{ type: orderType, id: number, item: idIn(item) ?? 0 }] : []
  })
  return [...new Map(refs.map((ref) => [itemKey(ref), ref])).values()]
}

/** The relative URL of a batch. @param orders as `orderList` writes them @param more further parameters, from `&` on */
export const batchLink = (orders: string, more = '') => `batch?orders=${encodeURIComponent(orders)}${more}`

/** The items of these orders with their orders, the oldest order first. */
export async function batchItems({ room }: Desk, refs: readonly OrderRef[]): Promise<BatchItem[]> {
  const listed = await room.listed(refs)
  const items = await room.itemsOf(listed)
  const oldest = listed.toSorted((a, b) => (a.created_date ?? '').localeCompare(b.created_date ?? ''))
  return oldest.flatMap((order) => (items.get(order) ?? []).map((item) => ({ order, item })))
}

/** The items of a batch that a page shows: all, or the first of those to print and then of the others. */
export function shownItems(items: readonly BatchItem[]): readonly BatchItem[] {
  if (items.length <= maxItems) return items
  return items.toSorted((a, b) => Number(isToPrint(b.item)) - Number(isToPrint(a.item))).slice(0, maxItems)
}

/** The designs of these items, read some items at a time; items whose designs are gone are left out. */
export async function* designsIn(
  { orders }: Pick<Desk, 'orders'>,
  items: readonly BatchItem[],
): AsyncGenerator<ItemValue & { key: string }> {
  for (const [type, itemsOfType] of Map.groupBy(items, ({ item }) => item.type)) {
    const refs = itemsOfType.map(({ item }) => item)
    for await (const [id, designs] of orders.of(type).designs(refs))
      for (const design of designs)
        yield { ...design, key: itemKey({ type, id, item: design.stored.itemId ?? 0 }) }
  }
}

/** Whether the file of a job shows another design than this one. */
export const isOtherDesign = ({ design }: JobView['exportSettings'], json: string) =>
  typeof design === 'string' && design !== designHash(json)

/** Keys of the items whose design was changed after their newest file was made. */
export async function outdatedItems(
  desk: Pick<Desk, 'orders'>,
  items: readonly BatchItem[],
  jobs: ReadonlyMap<string, JobView>,
): Promise<ReadonlySet<string>> {
  const itemsWithFile = items.filter(({ item }) => jobs.get(itemKey(item))?.status === 'completed')
  const outdated = new Set<string>()
  for await (const { key, json } of designsIn(desk, itemsWithFile)) {
    const job = jobs.get(key)
    if (job && json !== undefined && isOtherDesign(job.exportSettings, json)) outdated.add(key)
  }
  return outdated
}

/** The check with a warning for each view that has more or fewer entries of names and numbers than there are pieces. */
export function withEntryWarnings(check: Preflight, design: string, item: RoomItem | undefined): Preflight {
  const pieces = item?.pieces
  // Only orders of the shop have pieces.
  if (!item?.bought || !pieces) return check
  const findings = viewsOf(fromJson(design)).flatMap((view) =>
    view.isLocked ? [] : (entriesFinding(view, pieces) ?? []),
  )
  return {
    ...check,
    findings: [...check.findings, ...findings.map((finding) => findingOf('warning', finding))],
  }
}

const tooMany = () =>
  new SvcError('rest_invalid_param', { message: `A batch has at most ${maxOrders} orders.` })
