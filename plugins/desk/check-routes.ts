// The page that checks a design before it is printed. The page of an order does not contain the check, because a preflight takes a
// while: its script loads this page, and shows the parts with `data-brief`.
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { disconnectSignal } from '../../src/http/disconnect.ts'
import { hidden } from '../../src/http/schema.ts'
import { fromJson } from '../../src/json/parse.ts'
import { orderTexts } from '../../src/orders/listed-names.ts'
import { orderLink } from '../../src/orders/ticket-page.ts'
import { findingsOf } from '../../src/orders/whole-order.ts'
import { assertNotForeign } from '../../src/pages/forgery.ts'
import { queryValue } from '../../src/pages/form.ts'
import { section, table } from '../../src/pages/html.ts'
import { viewsOf } from '../../src/renderer/design.ts'
import { findingOf, type Preflight, type PreflightFinding } from '../../src/renderer/preflight-result.ts'
import { reportedTitle } from '../../src/renderer/refusal.ts'
import {
  type DesignRef,
  designFields,
  designOf,
  designRefIn,
  rendererClient,
  scopeOf,
  scopeToChange,
} from './design-ref.ts'
import type { Desk, FormMaker } from './desk.ts'
import { type FindingParts, findingRows, type ShownFinding } from './finding-parts.ts'
import { lostPictures, uploadAdvice } from './lost-pictures.ts'
import { picture } from './preview-routes.ts'
import { fontForm, pictureForm } from './uploads.ts'

/** The most forms for missing fonts, and for lost pictures, on one page; the others follow when some are uploaded. */
const maxForms = 100

/** The route of the page that says whether a design can be printed, and what it lacks. */
export function checkRoutes(desk: Desk): void {
  const { app, context } = desk

  // No time limit as other pages have: the renderer limits the preflight.
  app.get('/check', { schema: hidden }, async (request, reply) => {
    assertNotForeign(request)
    const designRef = designRefIn((name) => queryValue(request, name))
    desk.assertMay(request, scopeOf(designRef))
    const { renderer } = context
    if (!renderer) throw new SvcError('svc_renderer_off')
    const design = await designOf(desk, designRef)
    const settings = { ...(await context.preflightForm()), client: rendererClient(designRef) }
    const result = await renderer.preflight(design, settings, disconnectSignal(reply))
    const findings = [...result.findings, ...(await orderFindings(desk, designRef))]

    const form = desk.forms(request, reply)
    const canReplace = desk.may(request, 'assets:write') && desk.may(request, scopeToChange(designRef))
    const lost = canReplace ? lostPictures(design, result).slice(0, maxForms) : []
    const missingFonts = [
      ...new Set(result.fonts.filter(({ missing }) => missing).map(({ family }) => family)),
    ]
    const uploads = [
      ...missingFonts.slice(0, maxForms).map((family) => fontForm(form, designRef, family)),
      ...lost.map((lostPicture) => pictureForm(form, designRef, lostPicture)),
    ]
    const parts = {
      picture: viewPictures(design, designRef),
      adviceFor: (finding: ShownFinding) => uploadAdvice(lost, finding),
    }
    const isProduct = designRef.type === 'product'
    const name = await nameOf(desk, designRef)
    const main = html`<p><a href="${isProduct ? 'products' : orderLink(designRef)}">${isProduct ? 'All products' : `Back to ${name}`}</a></p>${resultParts({ ...result, findings }, parts)}
${result.printable && !isProduct && printForm(form, designRef)}
${fontTable(result)}${uploadForms(uploads)}`
    const title = `${name}: check before printing`
    return desk.send(request, reply, { title, current: isProduct ? 'products' : 'orders', main })
  })
}

/** The order or product as the title of the page names it. */
async function nameOf({ orders }: Desk, { type, id, item }: DesignRef): Promise<string> {
  if (type === 'product') return `Product ${id}`
  const order = { type, orderId: String(id), itemId: item }
  return (await orderTexts(orders, [order]))(order).order
}

const printForm = (form: FormMaker, designRef: DesignRef): Html | undefined =>
  form('orders:write', 'print', designFields(designRef), html`<button class="main">Make print file</button>`)

/** What the order adds to the check of its design, such as a refund; nothing for a product. */
async function orderFindings(
  { orders, context }: Desk,
  { type, id, item }: DesignRef,
): Promise<PreflightFinding[]> {
  if (type === 'product') return []
  const findings = await findingsOf(orders.of(type), id, item || undefined, context.printableStatuses)
  return findings.map((finding) => findingOf('warning', finding))
}

/** The result of a check. */
function resultParts({ printable, findings, pages }: Preflight, parts: FindingParts): Html {
  const pictures = pages.flatMap(({ view, elements }) =>
    elements.flatMap(({ title, dpi }) => (dpi === null ? [] : [`${view}, ${title}: ${dpi} dpi`])),
  )
  return html`
<p class="notice ${printable ? 'done' : 'problem'}" data-brief>${printable ? 'Ready to print.' : 'Not ready to print.'}</p>
${findingList('Must be fixed', 'refusal', findings, parts)}
${findingList('Warnings', 'warning', findings, parts)}
${resultTable(
  'Pages',
  ['View', 'Print area', 'Size in mm', 'Bleed in mm'],
  pages.map(({ view, area, width, height, bleed }) => [view, area, `${width} × ${height}`, bleed]),
)}
${
  pictures.length > 0 &&
  section(
    'found-pictures',
    'Pictures',
    html`<ul class="plain" data-brief>${pictures.map((text) => html`<li>${text}</li>`)}</ul>`,
  )
}`
}

const fontTable = ({ fonts }: Preflight): Html | undefined =>
  resultTable(
    'Fonts',
    ['Family', 'Style', 'Printed with'],
    fonts.map(({ family, bold, italic, substitute, missing }) => [
      family,
      [bold && 'bold', italic && 'italic'].filter(Boolean).join(' ') || 'regular',
      missing ? 'nothing: upload it' : (substitute ?? family),
    ]),
  )

/** The forms for fonts and pictures that are missing; those that the visitor may not send are undefined. */
const uploadForms = (forms: readonly (Html | undefined)[]): Html | undefined =>
  forms.some(Boolean)
    ? section('found-missing', 'Upload what is missing', html`<div data-brief>${forms}</div>`)
    : undefined

function findingList(
  title: string,
  level: PreflightFinding['level'],
  all: readonly PreflightFinding[],
  parts: FindingParts,
) {
  const rows = findingRows(
    all.filter((finding) => finding.level === level),
    parts,
  )
  return rows && section(`found-${level}`, title, html`<div data-brief>${rows}</div>`)
}

/** Returns a function from the title of a view, as findings contain it, to a picture of that view. */
function viewPictures(design: string, designRef: DesignRef): (view: string | null) => Html | undefined {
  const titles = viewsOf(fromJson(design)).map(({ title }) => reportedTitle(title))
  return (view) => {
    const index = view === null ? -1 : titles.indexOf(view)
    if (index < 0) return undefined
    return html`<span class="thumb">${picture({ ...designRef, view: index }, { width: 160, alt: '', canPreview: true })}</span>`
  }
}

function resultTable(
  title: string,
  columns: readonly string[],
  rows: readonly unknown[][],
): Html | undefined {
  if (rows.length === 0) return undefined
  const name = title.toLowerCase()
  const cells = rows.map((row) => html`<tr>${row.map((cell) => html`<td>${String(cell ?? '–')}</td>`)}</tr>`)
  return section(`found-${name}`, title, table(name, columns, cells))
}

/** The link to the check of a design; undefined if this host does not draw. @param query made by `designQuery` */
export const checkLink = (query: string, canCheck: boolean, what: string): Html | undefined =>
  canCheck
    ? html`<a href="check?${query}">Check before printing<span class="unseen"> of ${what}</span></a>`
    : undefined
