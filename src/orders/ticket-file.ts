// Makes the tickets of an export: one page of HTML that contains its pictures, so that it can be printed alone.
import { Html, html } from '../core/html.ts'
import type { Database } from '../db/connect.ts'
import type { OrderOfJob } from '../print/job-data.ts'
import type { TicketDrawing } from '../print/ticket-drawing.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { shopTimeZone } from '../settings/time-zone.ts'
import { dueDates } from './due-dates.ts'
import type { ItemValue } from './item-values.ts'
import type { Orders } from './orders.ts'
import { printRoom } from './print-room.ts'
import { itemKey } from './print-states.ts'
import { pictureWidth, ticketStyle, ticketsPage } from './ticket-page.ts'
import { type Ticket, ticketsOf } from './tickets.ts'

interface Services {
  database: Database
  cms: CmsOptions
  orders: Orders
  /** Reads the printable states of shop orders. */
  printable: () => Promise<readonly string[]>
  /** Public address of the desk; without it there are no QR codes. */
  deskUrl: string | undefined
}

/** The most bytes of all pictures; further ones are left out. */
const maxPictures = 8 * 1024 * 1024

/** The content security policy of the page: it loads nothing. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

/** Returns a function that makes the tickets of an order or item. */
export function ticketFile({ database, cms, orders, printable, deskUrl }: Services) {
  const room = printRoom(database, orders)
  const dueIn = dueDates(database, cms)

  /**
   * Draws the pictures of the designs with `draw`, and checks the designs.
   * @returns HTML with the tickets of an item, or (item 0) of all items of an order of which something is left to print
   */
  return async ({ type, orderId, itemId }: OrderOfJob, draw: TicketDrawing): Promise<string> => {
    const id = Number(orderId)
    const source = orders.of(type)
    const listed = await room.listed([{ type: source.type, id }])
    const orderItems = [...(await room.itemsOf(listed))].flatMap(([order, items]) =>
      items.map((item) => ({ order, item })),
    )
    const items = orderItems.filter(({ item }) => (itemId > 0 ? item.item === itemId : item.pieces !== 0))
    const designs = new Map<string, ItemValue>()
    for await (const [, designsOfOrder] of source.designs(items.map(({ item }) => item)))
      for (const design of designsOfOrder)
        designs.set(itemKey({ type: source.type, id, item: design.stored.itemId ?? 0 }), design)
    const day = source.type === 'wc' ? (await dueIn([id])).get(id) : undefined
    const due = new Map(day === undefined ? [] : listed.map((order) => [order, day]))
    const checks = new Map<string, string[]>()
    for (const { item } of items) {
      const json = designs.get(itemKey(item))?.json
      if (json !== undefined) checks.set(itemKey(item), await draw.findings(json))
    }
    const context = { orders, jobs: new Map(), due, printable: await printable(), checks, designs }
    const tickets = await ticketsOf(items, context)
    const pictures = await drawnPictures(tickets, designs, draw)
    return ticketsPage({
      tickets,
      intro: html`<p>Print this page: each ticket has a sheet of its own, from A6 to A4.</p>`,
      style: html`<meta http-equiv="Content-Security-Policy" content="${policy}"><style>${new Html(ticketStyle)}</style>`,
      address: deskUrl,
      timeZone: await shopTimeZone(cms),
      picture: (ticket, view) => pictures.get(pictureKey(ticket, view)),
    })
  }
}

const pictureKey = (ticket: Ticket, view: number) => `${itemKey(ticket)} ${view}`

/** Pictures of the views on tickets as data URLs, by `pictureKey`, up to `maxPictures`. @param designs by `itemKey` */
async function drawnPictures(
  tickets: readonly Ticket[],
  designs: ReadonlyMap<string, ItemValue>,
  draw: TicketDrawing,
): Promise<Map<string, string>> {
  const pictures = new Map<string, string>()
  let bytes = 0
  for (const ticket of tickets) {
    const json = designs.get(itemKey(ticket))?.json
    if (json === undefined) continue
    const width = pictureWidth(ticket.views.length)
    for (const { index } of ticket.views) {
      const png = bytes < maxPictures ? await draw.picture(json, index, width) : undefined
      if (!png) continue
      bytes += png.length
      pictures.set(pictureKey(ticket, index), `data:image/png;base64,${png.toString('base64')}`)
    }
  }
  return pictures
}
