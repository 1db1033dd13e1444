// The markup of the list of orders.

import { type AnyOrder, orderTypes } from '../../src/orders/all-orders.ts'
import { type OrderType, sourceNames } from '../../src/orders/source.ts'
import { type Html, html } from '../../src/pages/html.ts'
import { timeOf } from '../../src/pages/time.ts'
import { orderLink, type PrintState, stateMark, stateNames } from './names.ts'
import { type PreviewOf, picture } from './picture.ts'

export interface Filters {
  search: string
  source: OrderType | undefined
  state: PrintState | undefined
  since: string | undefined
  until: string | undefined
}

export interface ShownOrder {
  order: AnyOrder
  items: { id: number; name: string; state: PrintState }[]
  preview: PreviewOf
  /** Why its preview failed a moment ago. */
  failure: string | undefined
}

interface View {
  filters: Filters
  orders: readonly ShownOrder[]
  /** Where the next page begins. */
  next: string | undefined
  isFirst: boolean
  canPreview: boolean
}

export function ordersPage({ filters, orders, next, isFirst, canPreview }: View): Html {
  return html`
${filterForm(filters)}
<div id="orders" data-live>
${
  orders.length === 0
    ? html`<p role="status">${next ? 'None of these. There are older orders.' : 'There are no such orders.'}</p>`
    : html`<ul class="orders">${orders.map((order) => row(order, canPreview))}</ul>`
}
</div>
<p class="pages">${!isFirst && html`<a href="orders?${queryOf(filters)}">Newest orders</a>`}
${next && html`<a href="orders?${queryOf(filters, next)}">Older orders</a>`}</p>`
}

function row({ order, items, preview, failure }: ShownOrder, canPreview: boolean): Html {
  const { type, id, order_number, created_date, customer_name, customer_mail } = order
  const number = order_number ?? String(id)
  return html`
<li><a class="thumb" href="${orderLink({ type, id })}" tabindex="-1" aria-hidden="true">${picture(preview, { width: 160, alt: '', failure, canPreview })}</a>
<div class="what"><p class="name"><a href="${orderLink({ type, id })}">${sourceNames[type]} ${number}</a></p>
<p class="remark">${timeOf(created_date)}</p>${failure && html`<p class="why">${failure}</p>`}</div>
<div class="who"><p>${customer_name || 'No name'}</p><p class="remark">${customer_mail}</p></div>
<ul class="items">${items.map(({ name, state }) => html`<li>${name && html`<span>${name}</span>`} ${stateMark(state)}</li>`)}</ul></li>`
}

function filterForm({ search, source, state, since, until }: Filters): Html {
  const option = (value: string, name: string, chosen: string | undefined) =>
    html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${name}</option>`
  return html`
<form class="filters" method="get" action="orders">
${search && html`<p><label for="search">Contains</label><input type="search" id="search" name="q" value="${search}" maxlength="200"></p>`}
<p><label for="source">Source</label><select id="source" name="source">${option('', 'All', source)}${orderTypes.map((type) => option(type, sourceNames[type], source))}</select></p>
<p><label for="state">Print file</label><select id="state" name="state">${option('', 'All', state)}${Object.entries(stateNames).map(([value, name]) => option(value, name, state))}</select></p>
<p><label for="since">From</label><input type="date" id="since" name="since" value="${since ?? ''}"></p>
<p><label for="until">Until</label><input type="date" id="until" name="until" value="${until ?? ''}"></p>
<p><button class="main">Show</button></p>
</form>`
}

const queryOf = ({ search, ...filters }: Filters, at?: string) =>
  new URLSearchParams(
    Object.entries({ q: search, ...filters, at }).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  ).toString()
