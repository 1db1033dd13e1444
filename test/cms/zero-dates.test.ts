// Tables of old installations, whose dates have a default of zero: new orders and print jobs, and rows that have it already.
import { sql } from 'kysely'
import type { Test } from 'tap'
import { eraseCustomer } from '../../plugins/index.ts'
import { databaseOn } from '../../src/db/connect.ts'
import { allOrders, firstPage, orderTypes } from '../../src/orders/all-orders.ts'
import { ordersOf } from '../../src/orders/orders.ts'
import { printJobsRepository } from '../../src/print/print-jobs.ts'
import { cmsOptions } from '../../src/settings/cms.ts'
import { run } from '../support/fixtures/schema.ts'
import { createShop } from '../support/fixtures/shop.ts'
import { build, type ServerEngine } from '../support/hosts/build.ts'
import { wcOrder } from '../support/hosts/desk.ts'
import { onServers } from '../support/hosts/fresh-host.ts'

const zero = '0000-00-00 00:00:00'
const order = (date: string) => `(customer_name, customer_mail, views${date && ', created_date'})
  VALUES ('Ada', 'ada@shop.example', '[{}]'${date && `, '${date}'`})`

/** A shop with such tables and two orders, of which the later has no date. Our own statements run in the server's strict mode. */
async function oldShop(t: Test, engine: ServerEngine) {
  const host = await build(t, { engine })
  const { orders, print_jobs } = host.t
  await host.db
    .connection()
    .execute((db) =>
      run(
        db,
        "set session sql_mode = ''",
        `ALTER TABLE ${orders} MODIFY created_date DATETIME NOT NULL DEFAULT '${zero}'`,
        `ALTER TABLE ${print_jobs} MODIFY created_at DATETIME NOT NULL DEFAULT '${zero}'`,
        `INSERT INTO ${orders} ${order('2026-04-01 10:00:00')}`,
        `INSERT INTO ${orders} ${order('')}`,
        'set session sql_mode = default',
      ),
    )
  const made = await host.call('POST', '/shortcode-orders', { customer_name: 'Bob', views: [{}] })
  return { ...host, made }
}

const isNow = (seconds: number) => Math.abs(seconds - Date.now() / 1000) < 300

onServers(
  'POST /shortcode-orders, print jobs: the time is set where the column has none',
  async (t, engine) => {
    const { made, connection, db, t: names } = await oldShop(t, engine)
    t.equal(made.status, 201)
    t.ok(isNow(Date.parse(made.body.data.created_date) / 1000), made.body.data.created_date)
    await printJobsRepository(await databaseOn(connection)).create({ order_id: 1, order_type: 'shortcode' })
    const created = sql<number>`unix_timestamp(created_at)`.as('created')
    const jobs = await db.selectFrom(names.print_jobs).select(created).execute()
    t.same(
      jobs.map((job) => isNow(Number(job.created))),
      [true],
    )
  },
)

onServers(
  'GET /shortcode-orders: a stored date of zero is null, and the order can be written',
  async (t, engine) => {
    const { call, address } = await oldShop(t, engine)
    const dates = [{ created_date: String }, { created_date: null }, { created_date: String }]
    const { data } = (await call('GET', '/shortcode-orders')).body
    t.match(data, dates)
    t.match((await call('GET', '/orders?type=shortcode')).body.data, dates)
    t.equal(
      (await call('PATCH', `/shortcode-orders/${data[1].id}`, { customer_name: 'Lady Ada' })).status,
      200,
    )
    const erased = await eraseCustomer({ database: address, mail: 'ada@shop.example' })
    t.same([erased.orders.toSorted(), erased.problems], [[1, 2], []])
  },
)

onServers(
  'allOrders: an order without a date keeps its place among those of its source',
  async (t, engine) => {
    const host = await oldShop(t, engine)
    await createShop(host)
    await wcOrder(host, '2026-03-01 12:00:00', [{ product: [{ title: 'Front', elements: [], options: {} }] }])
    const database = await databaseOn(host.connection)
    const list = allOrders(ordersOf(database, cmsOptions(database)))
    const page = await list.page({ types: orderTypes, search: undefined, limit: 10, offsets: firstPage })
    t.same(
      page.orders.map(({ type, created_date }) => [type, created_date === null]),
      [
        ['shortcode', false],
        ['shortcode', true],
        ['shortcode', false],
        ['wc', false],
      ],
    )
  },
)
