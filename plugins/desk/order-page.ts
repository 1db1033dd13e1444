// The markup of the page of one order; order-routes.ts reads what it shows.
import { type Html, html, timeOf } from '../../src/core/html.ts'
import type { RoomItem } from '../../src/orders/print-room.ts'
import { maxNote, type PrintStateName } from '../../src/orders/print-states.ts'
import { piecesText } from '../../src/orders/printable.ts'
import { type ListedOrder, type OrderDetails, type OrderType, sourceNames } from '../../src/orders/source.ts'
import { choices, section, table } from '../../src/pages/html.ts'
import type { outputFormats } from '../../src/print/export-request.ts'
import type { JobView } from '../../src/print/job-overview.ts'
import { findingOf } from '../../src/renderer/preflight-result.ts'
import type { Finding } from '../../src/renderer/refusal.ts'
import { checkLink } from './check-routes.ts'
import type { ProviderProduct, ShownDesign, ShownView } from './design.ts'
import { type DesignRef, designFields, designQuery } from './design-ref.ts'
import type { FormMaker } from './desk.ts'
import { findingRows } from './finding-parts.ts'
import { printStateBadge, printStateNames } from './item-parts.ts'
import { type JobListParts, jobList } from './job-parts.ts'
import { jobBadge } from './job-state.ts'
import { type OrderPart, partLinks } from './order-part.ts'
import { picture } from './preview-routes.ts'

/** An item of the order as its page shows it. */
export interface ShownItem {
  /** 0 if the order has no items. */
  id: number
  name: string
  /** Its newest job. */
  job: JobView | undefined
  design?: ShownDesign
  /** The bought item and its print state; undefined for orders that no list shows. */
  room: RoomItem | undefined
  /** Whether the design was changed after the newest file was made. */
  isOutdated?: boolean
  /** Why the design cannot be shown. */
  problem?: string
}

interface OrderView {
  ref: { type: OrderType; id: number }
  /** Undefined for orders that no list shows, such as those in the trash. */
  order: ListedOrder | undefined
  details: OrderDetails
  items: readonly ShownItem[]
  /** Which items of the order these are. */
  part: OrderPart
  findings: readonly Finding[]
  /** Its newest jobs, of all items. */
  history: readonly JobView[]
  /** Whether a finished print file is stored. */
  hasFiles: boolean
  feedback: Html | undefined
  jobParts: JobListParts
  canPreview: boolean
  /** Whether prints are made in the inks of a press. */
  isForPress: boolean
}

/** Maximum findings about the order, and lines of the table of what was bought. */
const maxRows = 100

/** The page of one order with its items, prints and actions. */
export function orderPage(view: OrderView): Html {
  const { feedback, items, part, findings, history, jobParts } = view
  const links = partLinks(view.ref, part)
  return html`
${feedback}
${findingRows(findings.slice(0, maxRows).map((finding) => findingOf('warning', finding)))}
${moreRows(findings.length, 'findings')}
${items.length > 0 && html`<p><a class="button" href="tickets?orders=${view.ref.type}:${view.ref.id}" accesskey="t">${items.length === 1 ? 'Show ticket' : 'Show tickets'}</a></p>`}
${links}
${items.map((item) => itemSection(item, view))}
${links}
${customerSection(view)}
${section('section-jobs', 'Print jobs', [
  html`<div id="jobs" data-live>${jobList(history, jobParts, 'Nothing was printed yet.')}</div>`,
  filesLink(view),
])}`
}

/** How many more there are than `maxRows`. */
const moreRows = (count: number, name: string) =>
  count > maxRows && html`<p class="remark">${count - maxRows} more ${name} are not shown.</p>`

function filesLink({ ref: { type, id }, hasFiles }: OrderView): Html | undefined {
  if (!hasFiles) return undefined
  return html`<p><a class="button" href="files?type=${type}&id=${id}" download>Download ZIP</a></p>`
}

function itemSection(item: ShownItem, view: OrderView): Html {
  const { id, name, job, design, problem, room, isOutdated } = item
  const title = name || (id > 0 ? `Item ${id}` : 'Design')
  return section(`item-${id}`, html`${title} ${jobBadge(job)} ${room && printStateBadge(room.state.state)}`, [
    room && roomParts(room, view),
    isOutdated &&
      html`<p class="why">The design was changed after this file was made. Make a new print file.</p>`,
    problem && html`<p class="problem">${problem}</p>`,
    design && designParts(item, design, view),
    !problem && printForm(item, view),
  ])
}

/** The bought item, its print state, and the buttons that change the state. */
function roomParts(item: RoomItem, { jobParts: { form, timeZone } }: OrderView): Html {
  const { type, id, item: itemId, state, isChanged, bought, entered, pieces } = item
  const itemName = `item ${itemId}`
  const button = (name: PrintStateName, label: string, key: string, className = '') =>
    html`<button name="state" value="${name}" class="${className}" accesskey="${key}">${label}<span class="unseen"> ${itemName}</span></button>`
  const buttons = html`${button('printed', 'Mark as printed', 'p', 'main')} ${button('reprint', 'Mark for reprint', 'r')}
<label>Note <input type="text" name="note" maxlength="${maxNote}" autocomplete="off"></label> ${button('problem', 'Mark as a problem', 'x')} ${state.changed_at && button('to_print', 'Mark as to print', 'b')}`
  const attributes = (bought?.attributes ?? entered).map(
    ({ name, value }) => html`<li>${name}: ${value}</li>`,
  )
  return html`
${bought && html`<p>${piecesText(bought, pieces)}${bought.sku && html`, SKU <code>${bought.sku}</code>`}</p>`}
${attributes.length > 0 && html`<ul class="plain">${attributes}</ul>`}
${isChanged && html`<p class="why">Design or pieces were changed after it was marked as printed.</p>`}
${state.changed_at && html`<p class="remark">${printStateNames[state.state]}, ${state.changed_by ?? 'unknown user'}, ${timeOf(state.changed_at, timeZone)}${state.note && html`: <span class="text">${state.note}</span>`}</p>`}
${form('orders:write', 'mark', designFields({ type, id, item: itemId }), buttons)}`
}

function designParts(
  { id, name }: ShownItem,
  { views, moreViews, fonts, colors, pictures }: ShownDesign,
  view: OrderView,
): Html {
  const list = (title: string, texts: readonly string[], draw: (text: string) => Html) =>
    texts.length > 0 &&
    html`<dt>${title}</dt><dd><ul class="plain">${texts.map((text) => html`<li>${draw(text)}</li>`)}</ul></dd>`
  return html`
<div class="check" data-check>${checkLink(designQuery({ ...view.ref, item: id }), view.canPreview, name || `item ${id}`)}</div>
<input type="checkbox" id="areas-${id}" class="areas"><label for="areas-${id}">Show print areas, trim and bleed</label>
<div class="views">${views.map((shownView, index) => viewFigure(shownView, { item: id, index }, view))}</div>
${moreViews > 0 && html`<p class="remark">${moreViews} more views are not shown.</p>`}
<dl>${list('Fonts', fonts, (text) => html`${text}`)}
${list('Colors', colors, (text) => html`${swatch(text)} <code>${text}</code>`)}
${list('Pictures', pictures, (text) => html`<code>${text}</code>`)}</dl>`
}

/** A color as a small square; nothing if the text is no hexadecimal color, because it becomes an attribute. */
const swatch = (color: string) =>
  /^#[0-9a-f]{3,8}$/i.test(color) &&
  html`<svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" fill="${color}"/></svg>`

function viewFigure(
  { title, stage, pages, morePages, problem, texts, names, isLocked }: ShownView,
  { item, index }: { item: number; index: number },
  { ref: { type, id }, canPreview }: OrderView,
): Html {
  const preview = { type, id, item, view: index }
  const height = stage && Math.round((800 * stage.height) / stage.width)
  const box = stage && `${stage.x} ${stage.y} ${stage.width} ${stage.height}`
  const outline = (kind: string, { x, y, width, height }: NonNullable<typeof stage>) =>
    html`<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}"/>`
  return html`
<figure><div class="sheet">${picture(preview, { width: 800, height, alt: `Preview of ${title}`, canPreview })}
${box && html`<svg viewBox="${box}" aria-hidden="true">${pages.map(({ trim, bled }) => [outline('bleed', bled), outline('trim', trim)])}</svg>`}</div>
<figcaption><p class="name">${title}</p>
${isLocked && html`<p class="remark">The customer did not unlock this optional view; it is not printed.</p>`}
${pages.map(({ name, size }) => html`<p class="remark">${name && `${name}: `}${size}</p>`)}
${morePages > 0 && html`<p class="remark">${morePages} more print areas are not shown.</p>`}
${problem && html`<p class="why">${problem}</p>`}
${texts.length > 0 && html`<p class="remark">Texts</p><ul class="texts">${texts.map((text) => html`<li>${text}</li>`)}</ul>`}
${names.length > 0 && html`<p class="remark">Names and numbers</p><ol class="texts">${names.map((text) => html`<li>${text}</li>`)}</ol>`}
</figcaption></figure>`
}

/** The most characters of a product number of the print provider. */
export const maxVariation = 100

const formatNames: Record<'' | (typeof outputFormats)[number], string> = {
  '': 'As in the settings',
  'svg-pdf': 'PDF',
  png: 'PNG',
  jpeg: 'JPEG',
  svg: 'SVG',
}

function printForm(
  { id: item, job, design }: ShownItem,
  { ref: { type, id }, jobParts: { form }, isForPress }: OrderView,
): Html {
  const designRef = { type, id, item }
  const fields = designFields(designRef)
  const { provider } = design ?? {}
  const make = html`
<label>Format <select name="format">${choices(formatNames)}</select></label>
<label>Resolution <input type="text" name="dpi" inputmode="numeric" class="short" placeholder="dpi" autocomplete="off"></label>
${isForPress && html`<label>Color <select name="color">${choices({ '': 'Color profile (CMYK)', rgb: 'RGB' })}</select></label>`}
<button class="main">${job ? 'Make a new print file' : 'Make print file'}<span class="unseen"> of item ${item}</span></button>`
  const send = html`<button>Send to the print provider<span class="unseen"> item ${item}</span></button>`
  return html`
<div class="acts">${form('orders:write', 'print', fields, make)}
${provider?.variation && form('orders:write', 'print', fields, send)}</div>
${provider && providerPart(provider, variationForm(form, designRef, provider))}`
}

/**
 * The form for the product number under which the print provider prints an item: corrected after the provider refused it, or
 * emptied to print the item in the shop itself.
 */
const variationForm = (
  form: FormMaker,
  designRef: DesignRef,
  { variation }: ProviderProduct,
): Html | undefined =>
  form(
    'orders:write',
    'variation',
    designFields(designRef),
    html`<label>Product number of the print provider <input type="text" name="variation" value="${variation}" class="short" maxlength="${maxVariation}" autocomplete="off"></label> <button>Save<span class="unseen"> the product number of item ${designRef.item}</span></button>`,
  )

/** Which product of the print provider the item is printed on. @param change the form that changes it, for users who may */
const providerPart = ({ variation }: ProviderProduct, change: Html | undefined): Html => html`
<div class="acts">${change ?? (variation && html`<p>Product number of the print provider: ${variation}</p>`)}</div>
<p class="remark">${variation ? 'The print provider prints this: each new file is sent to it.' : 'The shop prints this itself.'}${change && ' Without a number, the shop prints it itself.'}</p>`

function customerSection({ ref: { type, id }, order, details, jobParts: { timeZone } }: OrderView): Html {
  const row = (title: string, value: Html | string | undefined) =>
    value && html`<dt>${title}</dt><dd>${value}</dd>`
  const lines = (texts: readonly string[] = []) =>
    texts.length > 0 ? html`${texts.map((text, i) => html`${i > 0 && html`<br>`}${text}`)}` : undefined
  const { items = [], fields = [] } = details
  const list = html`
<dl>${row('Source', sourceNames[type])}${row('Number', order?.order_number ?? String(id))}
${row('Date', order && timeOf(order.created_date, timeZone))}${row('Status', order?.status)}
${row('Name', order?.customer_name)}${row('E-mail', order?.customer_mail)}${row('Phone', details.phone)}
${row('Ships to', lines(details.shipping))}${row('Billed to', lines(details.billing))}
${row('Note', details.note && html`<span class="text">${details.note}</span>`)}
${fields.filter(({ isCustomer }) => !(order && isCustomer)).map(({ label, value }) => row(label || 'Field', html`<span class="text">${value}</span>`))}
${row('Total', details.total)}</dl>
${
  items.length > 0 &&
  table(
    'items',
    ['Item', 'Quantity', 'Price'],
    items
      .slice(0, maxRows)
      .map(
        ({ name, quantity, total }) =>
          html`<tr><th scope="row">${name}</th><td>${quantity}</td><td>${total}</td></tr>`,
      ),
  )
}
${moreRows(items.length, 'items')}`
  return section('section-customer', 'Customer', list)
}
