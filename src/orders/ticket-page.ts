// The markup of tickets: a printed page for each item, from A6 to A4.
import { type Html, html, type Part, timeOf } from '../core/html.ts'
import { qrCode } from '../core/qr-code.ts'
import { mapInTurns } from '../core/turns.ts'
import type { Ticket } from './tickets.ts'

/** What the page shows. */
interface Tickets {
  tickets: readonly Ticket[]
  /** Shown above the tickets, and not printed. */
  intro: Part
  /** The style, or the link to it. */
  style: Html
  /** Public address of the desk; without it there are no QR codes. */
  address: string | undefined
  timeZone: string
  /** The address of the picture of a view, by the index of the view and its width in pixels; undefined if there is none. */
  picture: (ticket: Ticket, view: number, width: number) => string | undefined
}

/** Relative URL of the page of an order on the desk; with an item, of that part of a long order that contains it. */
export const orderLink = ({ type, id, item = 0 }: { type: string; id: number | string; item?: number }) =>
  `order?type=${encodeURIComponent(type)}&id=${encodeURIComponent(id)}${item > 0 ? `&item=${item}` : ''}`

/** Absolute URL of the page of an order on the desk. @param deskUrl address of the desk */
export const orderPage = (deskUrl: string, order: Parameters<typeof orderLink>[0]) =>
  `${deskUrl.replace(/\/$/, '')}/${orderLink(order)}`

const ticketCount = (count: number) => (count === 1 ? '1 ticket' : `${count} tickets`)

/** The whole page as HTML. */
export async function ticketsPage(content: Tickets): Promise<string> {
  const { tickets, intro, style } = content
  // A QR code takes milliseconds.
  const parts = await mapInTurns(tickets, (ticket) => ticketPart(ticket, content))
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${ticketCount(tickets.length)}</title>
<link rel="icon" href="data:,">
${style}
</head>
<body>
<header class="screen"><h1>${ticketCount(tickets.length)}</h1>
${intro}</header>
<main>${parts}</main>
</body>
</html>
`
  return page.text
}

/** One ticket, which is printed on a sheet of paper. */
function ticketPart(ticket: Ticket, { address, timeZone, picture }: Tickets): Html {
  const { order, customer, product, sku, attributes, pieces, due, created, item } = ticket
  const row = (title: string, value: Html | string | undefined | false) =>
    value && html`<div><dt>${title}</dt><dd>${value}</dd></div>`
  return html`
<article class="ticket">
<div class="head">${address !== undefined && codePart(`${orderPage(address, ticket)}#item-${item}`, order)}
<div><h2>${order}</h2>${item > 0 && html`<p class="item">Item ${item}</p>`}<p class="pieces">${pieces}</p>${due && html`<p class="due">Due ${due}</p>`}</div></div>
<dl>${row('Product', product)}${row('SKU', sku)}${attributes.map(({ name, value }) => row(name, value))}
${row('Customer', customer)}${row('Ordered', created !== null && timeOf(created, timeZone))}</dl>
${viewsPart(ticket, picture)}
${ticket.views.map(namesPart)}
${findingsPart(ticket)}
</article>`
}

/** A QR code as SVG; nothing if the text is too long for one. */
function codePart(text: string, order: string): Html {
  const code = qrCode(text)
  if (!code) return html``
  const path = code.runs.map(({ x, y, length }) => `M${x} ${y}h${length}v1h-${length}z`).join('')
  return html`<svg class="code" viewBox="0 0 ${code.size} ${code.size}" role="img" aria-label="QR code of the page of ${order}" shape-rendering="crispEdges"><rect width="${code.size}" height="${code.size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`
}

/** Pixels of the picture of a view. */
export const pictureWidth = (views: number) => (views > 4 ? 240 : 800)

function viewsPart(ticket: Ticket, picture: Tickets['picture']): Html {
  const { views, moreViews } = ticket
  const figures = views.map(({ index, title }) => {
    const src = picture(ticket, index, pictureWidth(views.length))
    return html`<figure>${src !== undefined && html`<img src="${src}" alt="Preview of ${title}" decoding="async">`}<figcaption>${title}</figcaption></figure>`
  })
  return html`
<div class="views ${views.length > 4 ? 'many' : views.length > 1 ? 'some' : ''}">${figures}</div>
${moreViews > 0 && html`<p>${moreViews} more views are not shown.</p>`}`
}

const namesPart = ({ title, names, moreNames }: Ticket['views'][number]): Html | false =>
  names.length > 0 &&
  html`
<div class="names"><p>Names and numbers of ${title}</p>
<ol>${names.map((text) => html`<li>${text}</li>`)}</ol>
${moreNames > 0 && html`<p>${moreNames} more entries are not shown.</p>`}</div>`

const findingsPart = ({ findings, isChecked }: Ticket): Html => html`
${findings.length > 0 && html`<ul class="findings">${findings.map((text) => html`<li>${text}</li>`)}</ul>`}
${!isChecked && html`<p class="unchecked">No print file yet: the design was not checked.</p>`}`

/** The style of the page, for screens and print. */
export const ticketStyle = `
@page { margin: 6mm; }
:root { color-scheme: light; font: 1rem/1.35 system-ui, sans-serif; }
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; color: #000; background: #fff; }
h1, h2, p, dl, dd, ul, figure { margin: 0; }
.screen, .ticket { padding: 1rem; max-width: 40rem; margin: 0 auto; }
.screen h1 { font-size: 1.4em; }
.screen a { color: #0b57a4; }
.ticket { border-top: 1px dashed #767676; overflow-wrap: anywhere; }
.head { display: flex; gap: 1em; align-items: center; margin-bottom: .5em; }
.head > div { min-width: 0; }
.head h2 { font-size: 1.7em; line-height: 1.15; }
.code { flex: none; width: 26%; min-width: 22mm; max-width: 45mm; height: auto; }
.pieces, .due { font-size: 1.3em; font-weight: 700; }
dl { margin-bottom: .5em; }
dl > div { display: flex; gap: .75em; border-top: 1px solid #bbb; padding: .15em 0; }
dt { flex: 0 0 30%; color: #333; }
dd { min-width: 0; font-weight: 600; }
.views { display: grid; gap: .5em; grid-template-columns: minmax(0, 1fr); }
.views.some { grid-template-columns: repeat(2, minmax(0, 1fr)); }
.views.many { grid-template-columns: repeat(4, minmax(0, 1fr)); }
figure { min-width: 0; text-align: center; }
img { display: block; width: 100%; max-height: 15rem; object-fit: contain; border: 1px solid #bbb; }
figcaption { font-size: .85em; }
.names { margin-top: .5em; }
.names ol { margin: 0; padding-left: 2em; columns: 10em; font-weight: 600; }
.findings { margin-top: .5em; border-left: 3px solid #000; padding-left: 1.5em; }
.unchecked { font-size: .85em; margin-top: .5em; }
@media print {
  .screen { display: none; }
  :root { font-size: clamp(8pt, 2.3vw, 13pt); }
  .ticket { padding: 0; max-width: none; border: 0; break-inside: avoid; break-after: page; }
  .ticket:last-child { break-after: auto; }
  img { max-height: 36vh; }
  .some img { max-height: 20vh; }
  .many img { max-height: 13vh; }
}
`
