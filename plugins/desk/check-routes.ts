// What a print would be like, before it is made: the findings of a preflight on a page of their own, because it takes a while.
import { SvcError } from '../../src/core/errors.ts'
import { disconnectSignal } from '../../src/http/disconnect.ts'
import { hidden } from '../../src/http/schema.ts'
import { orderWords } from '../../src/orders/listed-names.ts'
import { type Html, html } from '../../src/pages/html.ts'
import { section, table } from '../../src/pages/parts.ts'
import { queryValue } from '../../src/pages/scope.ts'
import type { Preflight, PreflightFinding } from '../../src/renderer/preflight-result.ts'
import type { Desk } from './desk.ts'
import { lostPictures } from './lost-pictures.ts'
import { designOf, drawnIn, orderLink, scopeOf } from './names.ts'
import { fontForm, pictureForm } from './uploads.ts'

export function checkRoutes(desk: Desk): void {
  const { app, context } = desk

  // The renderer has a deadline of its own.
  app.get('/check', { schema: hidden }, async (request, reply) => {
    const drawn = drawnIn((name) => queryValue(request, name))
    desk.assertMay(request, scopeOf(drawn))
    const { renderer } = context
    if (!renderer) throw new SvcError('svc_renderer_off')
    const { minDpi } = (await context.uploadLimits()).picture
    const design = await designOf(desk, drawn)
    const output = await context.printOutput()
    const result = await renderer.preflight(design, minDpi, disconnectSignal(reply), output)
    const form = desk.forms(request, reply)
    const canUpload = desk.may(request, 'assets:write')
    const missing = new Set(result.fonts.filter((font) => font.missing).map(({ family }) => family))
    const forms = [
      ...[...missing].map((family) => fontForm(form, drawn, family)),
      ...lostPictures(design, result).map((lost) => pictureForm(form, canUpload, drawn, lost)),
    ]
    const isProduct = drawn.type === 'product'
    const order = { type: drawn.type, orderId: String(drawn.id), itemId: drawn.item }
    const words = isProduct ? `Product ${drawn.id}` : (await orderWords(desk.orders, [order]))(order).order
    const title = `${words}: check before printing`
    const main = html`<p><a href="${isProduct ? 'products' : orderLink(drawn)}">Back</a></p>${found(result)}
${fonts(result)}${uploads(forms)}`
    return desk.send(request, reply, { title, current: isProduct ? 'products' : 'orders', main })
  })
}

/** What is marked as brief, scripts show on the page of the order as well. */
function found({ printable, findings, pages }: Preflight): Html {
  const pictures = pages.flatMap(({ view, elements }) =>
    elements.flatMap(({ title, dpi }) => (dpi === null ? [] : [`${view}, ${title}: ${dpi} dpi`])),
  )
  return html`
<p class="notice ${printable ? 'done' : 'problem'}" data-brief>${printable ? 'It can be printed.' : 'It cannot be printed as it is.'}</p>
${findingList('What is refused', 'refusal', findings)}
${findingList('Worth a look', 'warning', findings)}
${foundTable(
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

const fonts = ({ fonts }: Preflight): Html | undefined =>
  foundTable(
    'Fonts',
    ['Family', 'Style', 'Printed with'],
    fonts.map(({ family, bold, italic, substitute, missing }) => [
      family,
      [bold && 'bold', italic && 'italic'].filter(Boolean).join(' ') || 'regular',
      missing ? 'nothing: upload it' : (substitute ?? family),
    ]),
  )

/** A form for each font that nobody has uploaded, and for each picture that is lost. */
const uploads = (forms: readonly (Html | undefined)[]): Html | undefined =>
  forms.some(Boolean)
    ? section('found-missing', 'Upload what is missing', html`<div data-brief>${forms}</div>`)
    : undefined

function findingList(title: string, level: PreflightFinding['level'], all: readonly PreflightFinding[]) {
  const items = all
    .filter((finding) => finding.level === level)
    .map(
      ({ view, element, message }) =>
        html`<li${level === 'refusal' && html` class="why"`}><span class="remark">${[view, element].filter(Boolean).join(', ')}</span>${message}</li>`,
    )
  return (
    items.length > 0 && section(`found-${level}`, title, html`<ul class="texts" data-brief>${items}</ul>`)
  )
}

function foundTable(title: string, columns: readonly string[], rows: readonly unknown[][]): Html | undefined {
  if (rows.length === 0) return undefined
  const name = title.toLowerCase()
  const cells = rows.map((row) => html`<tr>${row.map((cell) => html`<td>${String(cell ?? '–')}</td>`)}</tr>`)
  return section(`found-${name}`, title, table(name, columns, cells))
}

/** The link to the check of a design; nothing where designs are not drawn. */
export const checkLink = (query: string, canCheck: boolean, what: string): Html | undefined =>
  canCheck
    ? html`<a href="check?${query}">Check the print<span class="unseen"> of ${what}</span></a>`
    : undefined
