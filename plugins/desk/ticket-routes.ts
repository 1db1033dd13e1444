// Tickets of an order, or of the chosen items of a batch.

import { type Html, html } from '../../src/core/html.ts'
import { hidden } from '../../src/http/schema.ts'
import { itemKey } from '../../src/orders/print-states.ts'
import { orderLink, ticketStyle, ticketsPage } from '../../src/orders/ticket-page.ts'
import { ticketsOf } from '../../src/orders/tickets.ts'
import { page, queryValue, sendPage } from '../../src/pages/scope.ts'
import { batchLink, batchOf, itemsIn, type OrderRef, orderList, ordersIn } from './batch.ts'
import type { Desk } from './desk.ts'
import { drawnQuery } from './drawn.ts'

/** Tickets of one page. */
const maxTickets = 500

/** The tickets of orders, to be printed from the browser. */
export function ticketRoutes(desk: Desk): void {
  const { app, context, jobs, orders } = desk

  app.get('/tickets.css', { schema: hidden }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(ticketStyle),
  )

  app.get('/tickets', {
    schema: hidden,
    handler: page(async (request, reply) => {
      desk.assertMay(request, 'orders:read')
      const chosen = itemsIn(queryValue(request, 'items').split(','))
      const refs = ordersIn(orderList(chosen) || queryValue(request, 'orders'))
      const wanted = new Set(chosen.map(itemKey))
      const items = (await batchOf(desk, refs)).filter(({ item }) =>
        wanted.size > 0 ? wanted.has(itemKey(item)) : item.pieces !== 0,
      )
      const shown = items.slice(0, maxTickets)
      const [newest, due, printable, timeZone] = await Promise.all([
        jobs.newest(refs),
        desk.dueOf(shown.map(({ order }) => order)),
        context.printableStatuses(),
        desk.timeZone(),
      ])
      const tickets = await ticketsPage({
        tickets: await ticketsOf(shown, { orders, jobs: newest, due, printable }),
        intro: introOf(refs, items.length, items.length - shown.length),
        style: html`<link rel="stylesheet" href="tickets.css">`,
        address: context.deskUrl ?? `${request.protocol}://${request.host}${app.prefix}`,
        timeZone,
        picture: (ticket, view, width) =>
          context.renderer && `preview?${drawnQuery(ticket)}&view=${view}&width=${width}`,
      })
      return sendPage(reply, tickets)
    }),
  })
}

function introOf(refs: readonly OrderRef[], items: number, more: number): Html {
  const [only, ...others] = refs
  const back = only && others.length === 0 ? orderLink(only) : batchLink(orderList(refs))
  return html`<p><a href="${back}">Back</a></p>
<p>${items === 0 ? 'Nothing of these orders is to be printed.' : 'Print this page: each ticket has a sheet of its own, from A6 to A4.'}</p>
${more > 0 && html`<p role="alert">${more} more items are not shown: choose fewer orders.</p>`}`
}
