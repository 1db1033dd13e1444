// The list of orders of all sources: searched, filtered, page by page.
import type { FastifyRequest } from 'fastify'
import { timeIn } from '../../src/core/time-in.ts'
import { type AnyOrder, allOrders, newest, type Offsets, orderTypes } from '../../src/orders/all-orders.ts'
import { sourceNames } from '../../src/orders/source.ts'
import { choices, type Html, html, timeOf } from '../../src/pages/html.ts'
import { queryValue } from '../../src/pages/scope.ts'
import type { JobView } from '../../src/print/job-overview.ts'
import { type Desk, orderLink, type PrintState, stateMark, stateNames, stateOf, typeIn } from './desk.ts'
import { knownFailure, picture } from './preview-routes.ts'

const pageSize = 50

export function ordersRoutes(desk: Desk): void {
  const { orders, jobs } = desk
  const all = allOrders(orders)

  desk.get('/orders', 'orders:read', async (request) => {
    const filters = filtersIn(request)
    const { source, state, search, since, until } = filters
    const newestJobs = new Map<string, JobView>()
    const keep = async (found: AnyOrder[]) => {
      for (const [key, job] of await jobs.newest(found)) newestJobs.set(key, job)
      return new Set(found.filter((order) => !state || statesOf(order, newestJobs).has(state)))
    }
    const query = { types: source ? [source] : orderTypes, search: search || undefined, since, until }
    const page = await all.page({ ...query, limit: pageSize, at: offsetsIn(request) }, keep)
    const isFirst = queryValue(request, 'at') === ''
    const none = page.next ? 'None of these. There are older orders.' : 'There are no such orders.'
    const zone = await desk.timeZone()
    const rows = page.orders.map((order) => orderRow(desk, order, { jobs: newestJobs, zone }))
    const main = html`
${filterForm(filters)}
<div id="orders" data-live>
${rows.length === 0 ? html`<p role="status">${none}</p>` : html`<ul class="orders">${rows}</ul>`}
</div>
<p class="pages">${!isFirst && html`<a href="orders?${queryOf(filters)}">Newest orders</a>`}
${page.next && html`<a href="orders?${queryOf(filters, encodeOffsets(page.next))}">Older orders</a>`}</p>`
    return { title: 'Orders', current: 'orders', search, main }
  })
}

/** What is printed of an order: its items, or itself. */
const itemsOf = ({ order_items }: Pick<AnyOrder, 'order_items'>): { id: number; name: string }[] =>
  order_items ?? [{ id: 0, name: '' }]

const keyOf = ({ type, id }: AnyOrder, itemId: number) => `${type}:${id}:${itemId}`

const statesOf = (order: AnyOrder, known: ReadonlyMap<string, JobView>): ReadonlySet<PrintState> =>
  new Set(itemsOf(order).map(({ id }) => stateOf(known.get(keyOf(order, id)))))

type Filters = ReturnType<typeof filtersIn>

function filtersIn(request: FastifyRequest) {
  const value = (name: string) => queryValue(request, name).trim()
  const state = value('state')
  return {
    search: value('q').slice(0, 200),
    source: typeIn(value('source')),
    state: Object.hasOwn(stateNames, state) ? (state as PrintState) : undefined,
    since: dayIn(value('since')),
    until: dayIn(value('until')),
  }
}

/** A day of the calendar. */
const dayIn = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(timeIn(text)) ? text : undefined

const encodeOffsets = (at: Offsets) => orderTypes.map((type) => at[type]).join('.')

function offsetsIn(request: FastifyRequest): Offsets {
  const text = queryValue(request, 'at')
  if (!/^\d{1,7}(\.\d{1,7}){2}$/.test(text)) return newest
  const [wc = 0, gf = 0, shortcode = 0] = text.split('.').map(Number)
  return { wc, gf, shortcode }
}

function orderRow(
  desk: Desk,
  order: AnyOrder,
  { jobs, zone }: { jobs: ReadonlyMap<string, JobView>; zone: string },
): Html {
  const { type, id, order_number, created_date, customer_name, customer_mail } = order
  const items = itemsOf(order)
  const preview = { type, id, item: items[0]?.id ?? 0, view: 0 }
  const failure = knownFailure(desk, preview)
  const shown = { width: 160, alt: '', failure, canPreview: desk.context.renderer !== undefined }
  return html`
<li><a class="thumb" href="${orderLink({ type, id })}" tabindex="-1" aria-hidden="true">${picture(preview, shown)}</a>
<div class="what"><p class="name"><a href="${orderLink({ type, id })}">${sourceNames[type]} ${order_number ?? String(id)}</a></p>
<p class="remark">${timeOf(created_date, zone)}</p>${failure && html`<p class="why">${failure}</p>`}</div>
<div class="who"><p>${customer_name || 'No name'}</p><p class="remark">${customer_mail}</p></div>
<ul class="items">${items.map((item) => html`<li>${item.name && html`<span>${item.name}</span>`} ${stateMark(stateOf(jobs.get(keyOf(order, item.id))))}</li>`)}</ul></li>`
}

function filterForm({ search, source, state, since, until }: Filters): Html {
  const types = Object.fromEntries(orderTypes.map((type) => [type, sourceNames[type]]))
  return html`
<form class="filters" method="get" action="orders">
${search && html`<p><label for="search">Contains</label><input type="search" id="search" name="q" value="${search}" maxlength="200"></p>`}
<p><label for="source">Source</label><select id="source" name="source">${choices({ '': 'All', ...types }, source)}</select></p>
<p><label for="state">Print file</label><select id="state" name="state">${choices({ '': 'All', ...stateNames }, state)}</select></p>
<p><label for="since">From</label><input type="date" id="since" name="since" value="${since ?? ''}"></p>
<p><label for="until">Until</label><input type="date" id="until" name="until" value="${until ?? ''}"></p>
<p><button class="main">Show</button></p>
</form>`
}

const queryOf = ({ search, ...filters }: Filters, at?: string) =>
  new URLSearchParams(
    Object.entries({ q: search, ...filters, at }).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  ).toString()
