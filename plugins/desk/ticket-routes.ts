// Tickets of an order, or of the chosen items of a batch.
import type { FastifyRequest } from 'fastify'
import { hidden } from '../../src/http/schema.ts'
import { itemKey } from '../../src/orders/print-states.ts'
import { ticketsOf } from '../../src/orders/tickets.ts'
import { page, queryValue, sendPage } from '../../src/pages/scope.ts'
import { batchLink, batchOf, itemsIn, orderList, ordersIn } from './batch.ts'
import { type Desk, orderLink } from './desk.ts'
import { ticketStyle, ticketsPage } from './ticket-page.ts'

/** Tickets of one page. */
const maxTickets = 500

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
      const [only, ...others] = refs
      const tickets = ticketsPage({
        tickets: await ticketsOf(shown, { orders, jobs: newest, due, printable }),
        more: items.length - shown.length,
        back: only && others.length === 0 ? orderLink(only) : batchLink(orderList(refs)),
        address: deskAddress(request, context.deskUrl, app.prefix),
        timeZone,
        canPreview: context.renderer !== undefined,
      })
      return sendPage(reply, tickets)
    }),
  })
}

/** Where the pages of the desk are: as the host says, else where this request found them. */
function deskAddress(request: FastifyRequest, configured: string | undefined, prefix: string): string {
  const address = configured ?? `${request.protocol}://${request.host}${prefix}`
  return address.replace(/\/$/, '')
}
