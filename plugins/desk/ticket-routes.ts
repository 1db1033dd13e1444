// Pages of tickets, which are printed from the browser: of orders, or of the selected items of a batch.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Html, html } from '../../src/core/html.ts'
import { hidden } from '../../src/http/schema.ts'
import { orderLink, ticketStyle, ticketsPage } from '../../src/orders/ticket-page.ts'
import { ticketsOf } from '../../src/orders/tickets.ts'
import { queryValue } from '../../src/pages/form.ts'
import { pageHandler, sendHtml } from '../../src/pages/scope.ts'
import { type BatchItem, batchItems, batchLink, orderList, ordersIn } from './batch.ts'
import { designQuery } from './design-ref.ts'
import type { Desk } from './desk.ts'

/** The most tickets of one page. */
const maxTickets = 500

/** The tickets of whole orders, to be printed from the browser. */
export function ticketRoutes(desk: Desk): void {
  const { app } = desk

  app.get('/tickets.css', { schema: hidden }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(ticketStyle),
  )

  app.get('/tickets', {
    schema: hidden,
    handler: pageHandler(async (request, reply) => {
      desk.assertMay(request, 'orders:read')
      const refs = ordersIn(queryValue(request, 'orders'))
      const items = (await batchItems(desk, refs)).filter(({ item }) => item.pieces !== 0)
      const [first] = refs
      const back = first && refs.length === 1 ? orderLink(first) : batchLink(orderList(refs))
      return sendTickets(desk, items, { request, reply, back })
    }),
  })
}

/** Sends the page with the tickets of these items. @param back the page to which it links */
export async function sendTickets(
  desk: Desk,
  items: readonly BatchItem[],
  { request, reply, back }: { request: FastifyRequest; reply: FastifyReply; back: string },
): Promise<FastifyReply> {
  const { app, context, jobs, orders } = desk
  const ticketItems = items.slice(0, maxTickets)
  const ordersOfTickets = ticketItems.map(({ order }) => order)
  const [newest, due, printable, timeZone] = await Promise.all([
    jobs.newest(ordersOfTickets),
    desk.dueOf(ordersOfTickets),
    context.printableStatuses(),
    desk.timeZone(),
  ])
  const tickets = await ticketsPage({
    tickets: await ticketsOf(ticketItems, { orders, jobs: newest, due, printable }),
    intro: introOf(back, items.length, items.length - ticketItems.length),
    style: html`<link rel="stylesheet" href="tickets.css">`,
    address: context.deskUrl ?? `${request.protocol}://${request.host}${app.prefix}`,
    timeZone,
    picture: (ticket, view, width) =>
      context.renderer && `preview?${designQuery(ticket)}&view=${view}&width=${width}`,
  })
  return sendHtml(reply, tickets)
}

function introOf(back: string, items: number, more: number): Html {
  return html`<p><a href="${back}">Back</a></p>
<p>${items === 0 ? 'Nothing of these orders is to be printed.' : 'Print this page: each ticket has a sheet of its own, from A6 to A4.'}</p>
${more > 0 && html`<p role="alert">${more} more items are not shown: choose fewer orders.</p>`}`
}
