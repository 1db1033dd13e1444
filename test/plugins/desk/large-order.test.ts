// The desk and the API on an order with 2,000 items.
import { mkdir, writeFile } from 'node:fs/promises'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { requestTime } from '../../../src/core/deadline.ts'
import { timeouts } from '../../../src/db/timeouts.ts'
import { type Engine, onEachEngine, type TestHost } from '../../support/hosts/build.ts'
import { deskShop, jobRow, wcOrder } from '../../support/hosts/desk.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

// The pages are counted in bytes and items: on a busy machine their time would decide.
const patient = 300_000
Object.assign(requestTime, { gate: patient, handler: patient })
Object.assign(timeouts, { acquire: patient, query: patient })
t.setTimeout(patient)

const design = { product: [viewWith(textElement('Ada'))] }
const count = 2000
const pageSize = 50

/** Runs a statement for the numbers from 1 to `count` as `n`. */
const forEach = ({ db }: TestHost, into: string, values: string) =>
  sql`insert into ${sql.raw(into)}
    with recursive digits (d) as (select 0 union all select d + 1 from digits where d < 9)
    select ${sql.raw(values)} from
      (select 1 + a.d + 10 * b.d + 100 * c.d + 1000 * e.d as n from digits a, digits b, digits c, digits e) numbers where n <= ${count}`.execute(
    db,
  )

/** A shop with one order whose items have the ids from `first` on; the item `first + 7` was refunded. */
async function largeOrder(t: Test, engine: Engine) {
  const shop = await deskShop(t, engine, design)
  const { host } = shop
  const { id, items } = await wcOrder(host, '2026-06-01 08:00:00', [design], { status: 'wc-processing' })
  const first = 1 + Number(items[0])
  await sql`delete from ${sql.table('wp_woocommerce_order_items')} where order_id = ${id}`.execute(host.db)
  await forEach(
    host,
    'wp_woocommerce_order_items (order_item_id, order_item_name, order_item_type, order_id)',
    `${first - 1} + n, 'Shirt', 'line_item', ${id}`,
  )
  for (const [key, value] of [
    ['_svc_data', JSON.stringify(design)],
    ['_qty', '1'],
    ['Size', 'XL'],
  ])
    await forEach(
      host,
      'wp_woocommerce_order_itemmeta (order_item_id, meta_key, meta_value)',
      `${first - 1} + n, '${key}', '${value}'`,
    )
  return { ...shop, id, first }
}

t.test('GET /desk/order: an order with 2,000 items is shown in parts of 50, each named by an item', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { client, id, first } = await largeOrder(t, engine)
    const page = await client.get(`order?type=wc&id=${id}`)
    t.equal(page.status, 200)
    const sections = (found: typeof page) =>
      Array.from(found.document.querySelectorAll('h2[id^="item-"]'), ({ id }) => id)
    t.same(sections(page).length, pageSize)
    t.equal(sections(page)[0], `item-${first}`)
    t.match(page.texts('.pages')[0], 'Items 1 to 50 of 2000')
    t.match(page.text, `${count - 100} more items are not shown.`)
    t.ok(page.text.length < 500_000, `${page.text.length} characters`)

    const [next] = Array.from(page.document.querySelectorAll('.pages a'), (link) => link.getAttribute('href'))
    t.equal(next, `order?type=wc&id=${id}&item=${first + pageSize}`)
    t.equal(sections(await client.get(String(next)))[0], `item-${first + pageSize}`)
    const last = await client.get(`order?type=wc&id=${id}&item=${first + count - 1}`)
    t.equal(sections(last).at(-1), `item-${first + count - 1}`)
    t.match(last.texts('.pages')[0], 'Previous items')
    t.notMatch(last.texts('.pages')[0], 'Next items')
  }),
)

t.test('POST /desk/mark: leads back to the part of the order with the item', async (t) => {
  const { client, id, first } = await largeOrder(t, 'SQLite')
  const item = first + 120
  const page = await client.get(`order?type=wc&id=${id}&item=${item}`)
  const marked = await client.submit(page, 'mark', { item: String(item), state: 'printed' })
  t.match(marked.headers.location, `order?type=wc&id=${id}&item=${item}&said=printed`)
})

t.test('POST /desk/cancel, GET /desk/queue: lead to the part of the order with the item', async (t) => {
  const { client, host, id, first } = await largeOrder(t, 'SQLite')
  const item = first + 120
  const link = `order?type=wc&id=${id}&item=${item}`
  await jobRow(host, { type: 'wc', id, item, status: 'pending', isHeld: true })
  const queue = await client.get('queue')
  t.equal(queue.document.querySelector('.jobs .name a')?.getAttribute('href'), link)
  const cancelled = await client.submit(await client.get(link), 'cancel')
  t.equal(cancelled.headers.location, `${link}&said=cancelled`)
})

t.test('GET /desk/order, /desk/files: newest jobs of all items of an order with 300 jobs', async (t) => {
  const { client, host, id, first, dir } = await largeOrder(t, 'SQLite')
  const folder = `${dir}/svc/print_files/ab`
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}/file.pdf`, '%PDF')
  const data = JSON.stringify({ local_file: `${folder}/file.pdf` })
  const jobs = Array.from({ length: 300 }, (_, index) => ({
    guid: `job-${index}`,
    status: 'completed',
    details: JSON.stringify({ order_id: id, order_type: 'wc', item_id: first + index, design: 'earlier' }),
    data,
  }))
  await host.db.insertInto(host.t.print_jobs).values(jobs).execute()
  const sectionOf = async (item: number) =>
    (await client.get(`order?type=wc&id=${id}&item=${item}`)).texts(`[aria-labelledby="item-${item}"]`).join()
  const section = await sectionOf(first)
  t.match(section, /^Shirt Ready/)
  t.match(section, 'The design was changed after this file was made.')
  t.match(section, 'Make a new print file')
  t.match(await sectionOf(first + 300), 'Make print file')

  await jobRow(host, { type: 'wc', id, item: first, status: 'failed' })
  t.match(await sectionOf(first), /^Shirt Failed/)
  const zip = await client.get(`files?type=wc&id=${id}`)
  t.equal(zip.text.split('%PDF').length - 1, 300)
})

t.test('GET /desk/orders, /desk/tickets, /desk/batch: the first items of an order with 2,000', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { client, id, first, host } = await largeOrder(t, engine)
    const list = await client.get('orders')
    const [more] = list.document.querySelectorAll('.items a')
    t.equal(more?.textContent, `${count - 50} more items`)
    t.equal(more?.getAttribute('href'), `order?type=wc&id=${id}&item=${first + 50}`)

    const tickets = await client.get(`tickets?orders=wc:${id}`)
    // Parsing it would take longer than making it.
    t.equal(tickets.text.split('<article').length - 1, 500)
    t.match(tickets.text, `${count - 500} more items are not shown`)

    const values = { order_ref: `wc:${id}`, item_id: first, state: 'printed', note: '', content: '' }
    await host.db
      .insertInto(host.t.print_states)
      .values({ ...values, changed_by: 'anna', changed_at: 1 })
      .execute()
    const batch = await client.get(`batch?orders=wc:${id}`)
    const boxes = Array.from(batch.document.querySelectorAll('[name="item"]'), (box) =>
      box.getAttribute('value'),
    )
    t.same([boxes.length, boxes[0]], [500, `wc:${id}:${first + 1}`])
    t.match(batch.text, `${count - 500} more items are not shown`)
    const links = batch.document.querySelectorAll('#batch .name a')
    t.equal(links[120]?.getAttribute('href'), `order?type=wc&id=${id}&item=${first + 121}`)
  }),
)

t.test('GET /orders/{id}: an order with 2,000 items', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, id, first } = await largeOrder(t, engine)
    const { status, body } = await host.call('GET', `/orders/${id}`)
    t.equal(status, 200)
    t.equal(body.data.items.length, count)
    t.match(body.data.items.at(-1), { item_id: first + count - 1, order_item: { name: 'Shirt' }, ...design })
    const one = await host.call('GET', `/orders/${id}?item_id=${first}`)
    t.equal(one.body.data.items.length, 1)
  }),
)
