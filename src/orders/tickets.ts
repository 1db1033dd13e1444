// Reads what tickets show: sheets of paper that accompany the pieces of an item through the print shop.
import { unreadableValue } from '../core/errors.ts'
import { fromJson } from '../json/parse.ts'
import type { JobView } from '../print/job-overview.ts'
import { nameText, viewsOf } from '../renderer/design.ts'
import { sentenceOf } from '../renderer/refusal.ts'
import type { ItemValue } from './item-values.ts'
import type { Orders } from './orders.ts'
import type { RoomItem, RoomOrder } from './print-room.ts'
import { itemKey } from './print-states.ts'
import { orderFindings, piecesText } from './printable.ts'
import { orderName, type Refunds } from './source.ts'

/** The content of one ticket. */
export interface Ticket {
  type: RoomOrder['type']
  id: number
  /** 0 if orders have no items. */
  item: number
  /** As people call it: `Shop A-77`. */
  order: string
  /** ISO 8601. */
  created: string | null
  /** Day such as `2026-04-29`. */
  due: string | undefined
  customer: string
  product: string
  sku: string
  attributes: { name: string; value: string }[]
  /** In words, with what was refunded: `3 pieces`. */
  pieces: string
  /** Views that are printed, by their index in the design, with their entries of names and numbers. */
  views: { index: number; title: string; names: string[]; moreNames: number }[]
  /** How many more views the design has. */
  moreViews: number
  findings: string[]
  /** Whether the findings contain those of the design, because it was printed or checked. */
  isChecked: boolean
}

/** An item for which a ticket is made. */
export interface TicketItem {
  order: RoomOrder
  item: RoomItem
}

interface TicketContext {
  orders: Orders
  /** The newest job of each item, by `itemKey`. */
  jobs: ReadonlyMap<string, JobView>
  /** Days such as `2026-04-29`. */
  due: ReadonlyMap<RoomOrder, string>
  /** Printable states of shop orders. */
  printable: readonly string[]
  /** Findings of a check of the designs, as sentences by `itemKey`. */
  checks?: ReadonlyMap<string, readonly string[]>
  /** Designs of the items by `itemKey`, if the caller has read them already; otherwise they are read. */
  designs?: ReadonlyMap<string, ItemValue>
}

/** The most pictures, findings, and characters of a text on a ticket. */
const [maxViews, maxFindings, maxText] = [12, 8, 300]
/** The most entries of names and numbers of a view on a ticket. */
const maxNames = 60

const shortened = (text: string) => (text.length > maxText ? `${text.slice(0, maxText)}…` : text)

/** Reads the tickets of these items, with a constant number of statements for every fifty items. */
export async function ticketsOf(
  items: readonly TicketItem[],
  { orders, jobs, due, printable, checks, designs }: TicketContext,
): Promise<Ticket[]> {
  const viewsByItem = new Map([...(designs ?? [])].map(([key, design]) => [key, viewsIn(design)] as const))
  const refunds = new Map<RoomOrder['type'], (id: number) => Refunds>()
  for (const [type, itemsOfType] of Map.groupBy(items, ({ order }) => order.type)) {
    const ids = [...new Set(itemsOfType.map(({ order }) => order.id))]
    refunds.set(type, await orders.of(type).refunds(ids))
    if (designs) continue
    const refs = itemsOfType.map(({ item }) => item)
    for await (const [id, designsOfOrder] of orders.of(type).designs(refs))
      for (const design of designsOfOrder)
        viewsByItem.set(itemKey({ type, id, item: design.stored.itemId ?? 0 }), viewsIn(design))
  }
  return items.map(({ order, item }) => {
    const { type, id, status } = order
    const { views = [], moreViews = 0, problem } = viewsByItem.get(itemKey(item)) ?? {}
    const job = jobs.get(itemKey(item))
    const bought = item.bought && { items: new Map([[item.item, item.bought]]) }
    const hasAmountOnlyRefund = refunds.get(type)?.(id).hasAmountOnly ?? false
    const facts = { status, ...bought, hasAmountOnlyRefund }
    const findingsOfOrder = orderFindings(type, facts, item.item || undefined, printable)
    const messages = [
      ...(problem === undefined ? [] : [problem]),
      ...(job?.status === 'failed' && job.error ? [job.error.message] : []),
      ...findingsOfOrder.map(({ message }) => message),
      ...(checks?.get(itemKey(item)) ?? []),
      ...(job?.preflight ?? []).map(storedSentence),
    ]
    return {
      type,
      id,
      item: item.item,
      order: shortened(orderName(order)),
      created: order.created_date,
      due: due.get(order),
      customer: shortened(order.customer_name),
      product: shortened(item.bought?.name ?? order.product ?? ''),
      sku: shortened(item.bought?.sku ?? ''),
      attributes: (item.bought?.attributes ?? item.entered).map(({ name, value }) => ({
        name: shortened(name),
        value: shortened(value),
      })),
      pieces: item.bought ? piecesText(item.bought, item.pieces) : '1 piece',
      views,
      moreViews,
      findings: [...new Set(messages)].slice(0, maxFindings).map(shortened),
      isChecked: job !== undefined || checks?.has(itemKey(item)) === true,
    }
  })
}

/** The sentence of a finding that is stored with a job. */
function storedSentence({ view, element, message }: Record<string, unknown>): string {
  const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)
  return sentenceOf({ view: textOrNull(view), element: textOrNull(element), message: String(message ?? '') })
}

/** The printed views of a design, as far as a ticket shows them; a problem if it cannot be read. */
function viewsIn({
  json,
  stored,
}: ItemValue): Pick<Ticket, 'views' | 'moreViews'> & { problem: string | undefined } {
  if (json === undefined)
    return { views: [], moreViews: 0, problem: unreadableValue(stored.location).message }
  const printedViews = viewsOf(fromJson(json)).flatMap(({ title, isLocked, names }, index) => {
    if (isLocked) return []
    const shownNames = names.slice(0, maxNames).map((entry) => shortened(nameText(entry)))
    return [
      { index, title: shortened(title), names: shownNames, moreNames: names.length - shownNames.length },
    ]
  })
  return {
    views: printedViews.slice(0, maxViews),
    moreViews: Math.max(0, printedViews.length - maxViews),
    problem: undefined,
  }
}
