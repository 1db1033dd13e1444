// The filters of the list of orders: read from its address, applied to orders, and shown as a form.
import type { FastifyRequest } from 'fastify'
import { type Html, html } from '../../src/core/html.ts'
import { timeIn } from '../../src/core/time-in.ts'
import { contains } from '../../src/db/fold.ts'
import { firstPage, type Offsets, orderTypes } from '../../src/orders/all-orders.ts'
import type { RoomOrder } from '../../src/orders/print-room.ts'
import { type ListConditions, type OrderHead, sourceNames } from '../../src/orders/source.ts'
import { type WorkName, workNames } from '../../src/orders/work-lists.ts'
import { queryValue } from '../../src/pages/form.ts'
import { choices } from '../../src/pages/html.ts'
import { typeIn } from './design-ref.ts'
import { type FileState, fileStateNames } from './job-state.ts'

/** The filters of a request; what is undefined or empty does not filter. */
export type Filters = ReturnType<typeof filtersIn>

/** The work lists in words. */
export const workTitles: Record<WorkName, string> = {
  to_print: 'To print',
  changed: 'Changed since printed',
  reprint: 'To reprint',
  problem: 'With a problem',
  printed: 'Printed',
}

const sorts = { newest: 'Newest first', oldest: 'Oldest first', due: 'By due date' } as const
type Sort = keyof typeof sorts

/** Reads the filters in the address of a request; invalid values are ignored. */
export function filtersIn(request: FastifyRequest) {
  const value = (name: string) => queryValue(request, name).trim()
  const [state, sort] = [value('state'), value('sort')]
  const status = value('status').toLowerCase().replace(/^wc-/, '')
  return {
    search: value('q').slice(0, 200),
    work: workNames.find((name) => name === value('work')),
    source: typeIn(value('source')),
    status: /^[a-z0-9_-]{1,40}$/.test(status) ? status : undefined,
    product: value('product').slice(0, 200),
    state: Object.hasOwn(fileStateNames, state) ? (state as FileState) : undefined,
    since: dayIn(value('since')),
    until: dayIn(value('until')),
    sort: Object.hasOwn(sorts, sort) ? (sort as Sort) : undefined,
  }
}

/** A day such as `2026-04-29`; undefined unless the calendar has this day. */
const dayIn = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(timeIn(text)) ? text : undefined

/** The query of a link with these filters. @param more further parameters by name */
export const queryOf = ({ search, ...filters }: Filters, more: Record<string, string | undefined> = {}) =>
  new URLSearchParams(
    Object.entries({ q: search, ...filters, ...more }).flatMap(([name, value]) =>
      value ? [[name, value]] : [],
    ),
  ).toString()

/** The position in the list of all orders, as a parameter of a link; `offsetsIn` reads it. */
export const encodeOffsets = (offsets: Offsets) => orderTypes.map((type) => offsets[type]).join('.')

/** The position that a request names; that of the newest orders if it names none. */
export function offsetsIn(request: FastifyRequest): Offsets {
  const text = queryValue(request, 'at')
  if (!/^\d{1,7}(\.\d{1,7}){2}$/.test(text)) return firstPage
  const [wc = 0, gf = 0, shortcode = 0] = text.split('.').map(Number)
  return { wc, gf, shortcode }
}

/** Whether an order, read in full, has the status and the product of the filters. */
export function matchesOrder({ status, product }: Filters, order: RoomOrder): boolean {
  if (status && order.status !== status) return false
  if (!product) return true
  const names = (order.order_items ?? []).flatMap(({ name, sku }) => [name, sku])
  return [order.product ?? '', ...names].some((name) => contains(name, product))
}

/** Unix seconds in which the days of the filters begin and end. */
type Days = Pick<ListConditions, 'since' | 'until'>

/** Whether an order, of which only the head is read, has the status of the filters, and was created in these days. */
export function matchesHead({ status }: Filters, order: OrderHead, { since, until }: Days): boolean {
  const created = Date.parse(order.created_date ?? '') / 1000
  if (since !== undefined && !(created >= since)) return false
  if (until !== undefined && created >= until) return false
  return !status || order.status === status
}

/** Sorts orders; those without a due date come last. @param due days by order, needed to sort by them */
export function sorted<O extends OrderHead>(
  orders: readonly O[],
  sort: Sort = 'newest',
  due: ReadonlyMap<O, string> = new Map(),
): O[] {
  const age = (a: O, b: O) => compare(a.created_date ?? '', b.created_date ?? '')
  if (sort === 'newest') return orders.toSorted((a, b) => age(b, a))
  if (sort === 'oldest') return orders.toSorted(age)
  return orders.toSorted((a, b) => compare(due.get(a) ?? '9', due.get(b) ?? '9') || age(a, b))
}

/** Compares dates, which are ASCII: `localeCompare` would take long for many orders. */
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** States that orders of the shop and of forms usually have; any other can be typed. */
const usualStatuses = [
  'processing',
  'completed',
  'on-hold',
  'pending',
  'cancelled',
  'refunded',
  'failed',
  'active',
  'paid',
]

/** The form of the filters, filled in. */
export function filterForm(filters: Filters): Html {
  const { search, work, source, status, product, state, since, until, sort } = filters
  const types = Object.fromEntries(orderTypes.map((type) => [type, sourceNames[type]]))
  return html`
<form class="filters" method="get" action="orders">
${search && html`<p><label for="search">Contains</label><input type="search" id="search" name="q" value="${search}" maxlength="200"></p>`}
<p><label for="work">Print state</label><select id="work" name="work">${choices({ '': 'All orders', ...workTitles }, work)}</select></p>
<p><label for="source">Source</label><select id="source" name="source">${choices({ '': 'All', ...types }, source)}</select></p>
<p><label for="status">State of the order</label><input id="status" name="status" list="statuses" value="${status ?? ''}" class="short" autocomplete="off"><datalist id="statuses">${usualStatuses.map((name) => html`<option value="${name}"></option>`)}</datalist></p>
<p><label for="product">Product</label><input type="text" id="product" name="product" value="${product}" maxlength="200" autocomplete="off"></p>
<p><label for="state">Print file</label><select id="state" name="state">${choices({ '': 'All', ...fileStateNames }, state)}</select></p>
<p><label for="since">From</label><input type="date" id="since" name="since" value="${since ?? ''}"></p>
<p><label for="until">Until</label><input type="date" id="until" name="until" value="${until ?? ''}"></p>
${work && html`<p><label for="sort">Sort</label><select id="sort" name="sort">${choices(sorts, sort)}</select></p>`}
<p><button class="main">Apply filters</button></p>
</form>`
}
