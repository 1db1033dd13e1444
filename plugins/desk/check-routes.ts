// The check of a design before it is printed, on a page of its own, because a preflight takes a while.
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { disconnectSignal } from '../../src/http/disconnect.ts'
import { hidden } from '../../src/http/schema.ts'
import { fromJson } from '../../src/json/parse.ts'
import { orderTexts } from '../../src/orders/listed-names.ts'
import { orderLink } from '../../src/orders/ticket-page.ts'
import { findingsOf } from '../../src/orders/whole-order.ts'
import { assertNotForeign } from '../../src/pages/forgery.ts'
import { section, table } from '../../src/pages/html.ts'
import { queryValue } from '../../src/pages/scope.ts'
import { viewsOf } from '../../src/renderer/design.ts'
import { findingOf, type Preflight, type PreflightFinding } from '../../src/renderer/preflight-result.ts'
import { reportedTitle } from '../../src/renderer/refusal.ts'
import type { Desk } from './desk.ts'
import { clientOf, type Drawn, designOf, drawnFields, drawnIn, scopeOf, scopeToChange } from './drawn.ts'
import { type FindingParts, findingRows, type ShownFinding } from './finding-parts.ts'
import { lostPictures, uploadAdvice } from './lost-pictures.ts'
import { picture } from './preview-routes.ts'
import { fontForm, pictureForm } from './uploads.ts'

/** The most forms for missing fonts, and for lost pictures, on one page; the others follow when some are uploaded. */
const maxForms = 100

/** The route of the page that says whether a design can be printed, and what it lacks. */
export function checkRoutes(desk: Desk): void {
  const { app, context } = desk

  // Without a time limit for the page, because the renderer has one of its own.
  app.get('/check', { schema: hidden }, async (request, reply) => {
    assertNotForeign(request)
    const drawn = drawnIn((name) => queryValue(request, name))
    desk.assertMay(request, scopeOf(drawn))
    const { renderer } = context
    if (!renderer) throw new SvcError('svc_renderer_off')
    const design = await designOf(desk, drawn)
    const settings = { ...(await context.preflightForm()), client: clientOf(drawn) }
    const result = await renderer.preflight(design, settings, disconnectSignal(reply))
    const resultWithOrder = {
      ...result,
      findings: [...result.findings, ...(await orderFindings(desk, drawn))],
    }
    const form = desk.forms(request, reply)
    const canUpload = desk.may(request, 'assets:write')
    const missing = new Set(result.fonts.filter((font) => font.missing).map(({ family }) => family))
    const lost = lostPictures(design, result).slice(0, maxForms)
    const forms = [
      ...[...missing].slice(0, maxForms).map((family) => fontForm(form, drawn, family)),
      ...lost.map((lostPicture) => pictureForm(form, canUpload, drawn, lostPicture)),
    ]
    const canReplace = canUpload && desk.may(request, scopeToChange(drawn))
    const parts = {
      picture: viewPictures(design, drawn),
      adviceFor: (finding: ShownFinding) => (canReplace ? uploadAdvice(lost, finding) : undefined),
    }
    const isProduct = drawn.type === 'product'
    const order = { type: drawn.type, orderId: String(drawn.id), itemId: drawn.item }
    const name = isProduct ? `Product ${drawn.id}` : (await orderTexts(desk.orders, [order]))(order).order
    const title = `${name}: check before printing`
    const print =
      result.printable && !isProduct
        ? form(
            'orders:write',
            'print',
            drawnFields(drawn),
            html`<button class="main">Make print file</button>`,
          )
        : undefined
    const main = html`<p><a href="${isProduct ? 'products' : orderLink(drawn)}">${isProduct ? 'All products' : `Back to ${name}`}</a></p>${resultParts(resultWithOrder, parts)}
${print}
${fontTable(result)}${uploadForms(forms)}`
    return desk.send(request, reply, { title, current: isProduct ? 'products' : 'orders', main })
  })
}

/** What the order adds to the check of its design, such as a refund; nothing for a product. */
async function orderFindings(
  { orders, context }: Desk,
  { type, id, item }: Drawn,
): Promise<PreflightFinding[]> {
  if (type === 'product') return []
  const findings = await findingsOf(orders.of(type), id, item || undefined, context.printableStatuses)
  return findings.map((finding) => findingOf('warning', finding))
}

/** The result of a check. Scripts show what is marked as brief on the page of the order, too. */
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

/** The forms for fonts and pictures that are missing. */
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

/** The picture of the view that a finding names. */
function viewPictures(design: string, drawn: Drawn): (view: string | null) => Html | undefined {
  const titles = viewsOf(fromJson(design)).map(({ title }) => reportedTitle(title))
  return (view) => {
    const index = view === null ? -1 : titles.indexOf(view)
    if (index < 0) return undefined
    return html`<span class="thumb">${picture({ ...drawn, view: index }, { width: 160, alt: '', canPreview: true })}</span>`
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

/** The link to the check of a design; nothing where designs are not drawn. */
export const checkLink = (query: string, canCheck: boolean, what: string): Html | undefined =>
  canCheck
    ? html`<a href="check?${query}">Check before printing<span class="unseen"> of ${what}</span></a>`
    : undefined
