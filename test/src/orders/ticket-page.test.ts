// The page of tickets, as HTML.
import t from 'tap'
import { html } from '../../../src/core/html.ts'
import { ticketsPage } from '../../../src/orders/ticket-page.ts'
import type { Ticket } from '../../../src/orders/tickets.ts'

const ticket = (item: number): Ticket => ({
  type: 'wc',
  id: 7,
  item,
  order: 'Shop 7',
  created: null,
  due: undefined,
  customer: 'Ada',
  product: 'Shirt',
  sku: '',
  attributes: [],
  pieces: '1 piece',
  views: [],
  moreViews: 0,
  findings: [],
  isChecked: true,
})

t.test('ticketsPage: other requests get turns between the tickets of a page', async (t) => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const page = await ticketsPage({
    tickets: Array.from({ length: 500 }, (_, index) => ticket(index + 1)),
    intro: undefined,
    style: html``,
    address: 'https://shop.example/desk',
    timeZone: 'UTC',
    picture: () => undefined,
  })
  clearInterval(timer)
  t.equal(page.match(/<article/g)?.length, 500)
  t.ok(turns > 5, `${turns} turns`)
})
