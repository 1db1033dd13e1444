// The list of orders of all sources: what needs work first, searched, filtered, page by page, and chosen for a batch.
import { type Html, html, timeOf } from '../../src/core/html.ts'
import { isToPrint, type RoomOrder } from '../../src/orders/print-room.ts'
import { itemKey } from '../../src/orders/print-states.ts'
import { orderName } from '../../src/orders/source.ts'
import { orderLink } from '../../src/orders/ticket-page.ts'
import { toPrintDays, type WorkList } from '../../src/orders/work-lists.ts'
import { queryValue } from '../../src/pages/form.ts'
import { outdatedItems } from './batch.ts'
import type { Desk, FormMaker } from './desk.ts'
import { itemLine } from './item-parts.ts'
import { type Filters, filterForm, filtersIn, queryOf, workTitles } from './order-filters.ts'
import { allOrdersPage, type Listed, pageSize, workListPage } from './orders-list.ts'
import { knownFailure, picture } from './preview-routes.ts'

/** The most items of one order that the list shows. */
const maxItems = 50

/** The route of the list of orders. */
export function ordersRoutes(desk: Desk): void {
  desk.get('/orders', 'orders:read', async (request, form) => {
    const filters = filtersIn(request)
    const { work } = filters
    const [listed, numbers, zone] = await Promise.all([
      work ? workListPage(desk, request, { ...filters, work }) : allOrdersPage(desk, request, filters),
      desk.numbers(),
      desk.timeZone(),
    ])
    const isFirst = queryValue(request, 'at') === ''
    const none = listed.next ? 'No order on this page matches. There are more orders.' : 'No orders match.'
    const isAllChosen = queryValue(request, 'choose') === 'all'
    const choice = { isChosen: isAllChosen, filters }
    const itemsToPrint = listed.orders.flatMap((order) =>
      (listed.items.get(order) ?? []).filter(isToPrint).map((item) => ({ order, item })),
    )
    const outdated = await outdatedItems(desk, itemsToPrint, listed.jobs)
    const rows = listed.orders.map((order) => orderRow(desk, order, { listed, outdated, zone, choice }))
    const list =
      rows.length === 0
        ? html`<p role="status">${none}</p>`
        : chooser(form, html`<ul class="orders">${rows}</ul>`, {
            ...choice,
            count: listed.total ?? rows.length,
          })
    const main = html`
${numberList(numbers, desk.may(request, 'print_jobs:read'))}
${filterForm(filters)}
${listed.work && leftOutNote(listed.work, filters)}
<div id="orders" data-live>
${list}
</div>
<p class="pages">${!isFirst && html`<a href="orders?${queryOf(filters)}">First page</a>`}
${listed.next && html`<a href="orders?${listed.next}">${work ? 'Next page' : 'Older orders'}</a>`}</p>`
    return { title: 'Orders', current: 'orders', search: filters.search, main }
  })
}

/** What needs work, first on the page. */
function numberList(
  { to_print, changed, problem, failed, waiting }: Awaited<ReturnType<Desk['numbers']>>,
  seesQueue: boolean,
): Html {
  const number = (href: string, count: number, name: string) =>
    html`<li><a href="${href}"><strong>${count}</strong> ${name}</a></li>`
  return html`<ul class="numbers" id="numbers" data-live>
${number('orders?work=to_print&sort=due', to_print, 'to print')}
${seesQueue && number('queue', failed, 'failed')}
${number('orders?work=changed', changed, 'changed since printed')}
${number('orders?work=problem', problem, 'with a problem')}
${seesQueue && number('queue', waiting, 'waiting')}</ul>`
}

/** How many orders the list leaves out, and why. */
function leftOutNote({ leftOut, isCut }: WorkList, { work }: Filters): Html {
  const states = [...leftOut].sort(([a], [b]) => a.localeCompare(b))
  const count = states.reduce((sum, [, number]) => sum + number, 0)
  return html`
${work === 'to_print' && html`<p class="remark">${workTitles.to_print}: orders of the last ${toPrintDays} days in a printable state.${count > 0 && ` Left out: ${states.map(([state, number]) => `${number} ${state}`).join(', ')}.`}</p>`}
${isCut && html`<p class="remark">This list does not include all orders: mark those that are printed.</p>`}`
}

/** A form around the list, in which orders are chosen for a batch; the list alone for visitors who may not. */
function chooser(
  form: FormMaker,
  list: Html,
  { isChosen, filters, count }: { isChosen: boolean; filters: Filters; count: number },
): Html {
  const label = isChosen
    ? 'Select none'
    : `Select all ${count > pageSize ? `${pageSize} of this page` : count}`
  const toggle = queryOf(filters, isChosen ? {} : { choose: 'all' })
  const content = html`
<p class="bar"><button class="main" accesskey="w">Work on selected orders</button> <a href="orders?${toggle}" data-choose>${label}</a></p>
${list}`
  return form('orders:read', 'choose', {}, content, { className: 'choose' }) ?? list
}

interface RowContext {
  listed: Listed
  /** Keys of items whose design was changed after their file was made. */
  outdated: ReadonlySet<string>
  zone: string
  choice: { isChosen: boolean }
}

function orderRow(desk: Desk, order: RoomOrder, { listed, outdated, zone, choice }: RowContext): Html {
  const { type, id, created_date, customer_name, customer_mail, status } = order
  const items = listed.items.get(order) ?? []
  const preview = { type, id, item: items[0]?.item ?? 0, view: 0 }
  const failure = knownFailure(desk, preview)
  const options = { width: 160, alt: '', failure, canPreview: desk.context.renderer !== undefined }
  const name = orderName(order)
  const key = `${type}:${id}`
  const due = listed.due.get(order)
  return html`
<li><label class="choice"><input type="checkbox" name="order" value="${key}"${choice.isChosen && html` checked`}><span class="unseen">Select ${name}</span></label>
<a class="thumb" href="${orderLink({ type, id })}" tabindex="-1" aria-hidden="true">${picture(preview, options)}</a>
<div class="what"><p class="name"><a href="${orderLink({ type, id })}">${name}</a></p>
<p class="remark">${timeOf(created_date, zone)}${due && html`, due ${due}`}</p><p><span class="status">${status}</span></p>${failure && html`<p class="why">${failure}</p>`}</div>
<div class="who"><p>${customer_name || 'No name'}</p><p class="remark">${customer_mail}</p></div>
<ul class="items">${items.slice(0, maxItems).map((item) => html`<li class="${isToPrint(item) ? 'open' : 'done'}">${itemLine(item, listed.jobs.get(itemKey(item)), outdated.has(itemKey(item)))}</li>`)}${items.length > maxItems && html`<li><a href="${orderLink(items[maxItems] ?? order)}">${items.length - maxItems} more items</a></li>`}</ul></li>`
}
