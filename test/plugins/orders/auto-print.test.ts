// The option autoPrint: items of orders that become printable get one print job each.
import { sql } from 'kysely'
import t from 'tap'
import { printNewOrders } from '../../../plugins/index.ts'
import type { Shop } from '../../support/fixtures/shop.ts'
import { autoPrintShop, eventually, jobsOf, shopWriter } from '../../support/hosts/auto-print.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'

const shops: readonly Shop[] = ['tables', 'posts']

t.test('autoPrint: an order that PHP pays is printed once, an item a job', (t) =>
  onEachEngine(t, async (t, engine) => {
    for (const shop of shops) {
      const { host, look, order, setStatus } = await autoPrintShop(t, engine, { shop })
      const { id, items } = await order(['Front', 'Back'])
      await look()
      t.strictSame(await jobsOf(host), [], `${shop}: unpaid`)
      await setStatus(id, 'wc-processing')
      await look()
      const printed = items.map((item) => `wc:${id}:${item} completed`)
      t.strictSame((await jobsOf(host)).sort(), printed)
      await setStatus(id, 'wc-completed')
      await look()
      t.equal((await jobsOf(host)).length, 2)
    }
  }),
)

t.test('autoPrint: orders that were printable before it began are not printed, later ones are', (t) =>
  onEachEngine(t, async (t, engine) => {
    for (const shop of shops) {
      let old = 0
      let unpaid = 0
      const made = await autoPrintShop(t, engine, {
        shop,
        earlier: async (php) => {
          const { order } = shopWriter(php, shop)
          old = (await order(['Old'], 'wc-processing')).id
          unpaid = (await order(['Unpaid'], 'wc-on-hold')).id
        },
      })
      await made.setStatus(old, 'wc-completed')
      await made.setStatus(unpaid, 'wc-processing')
      await made.look()
      const jobs = await jobsOf(made.host)
      t.equal(jobs.length, 1, shop)
      t.match(jobs[0], new RegExp(`^wc:${unpaid}:`))
    }
  }),
)

t.test('autoPrint: an order that was paid while no process ran is printed by the next one', (t) =>
  onEachEngine(t, async (t, engine) => {
    for (const shop of shops) {
      const { host, php, another, order } = await autoPrintShop(t, engine, { shop })
      await host.app.close()
      const { id } = await order(['Night'], 'wc-processing')
      await another()
      const jobs = await eventually(
        () => jobsOf(php),
        (jobs) => jobs.some((job) => job.endsWith('completed')),
      )
      t.equal(jobs.length, 1)
      t.match(jobs[0], new RegExp(`^wc:${id}:\\d+ completed`))
    }
  }),
)

t.test('autoPrint: an order that is edited, or cancelled and paid again, is not printed again', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, look, order, setStatus, setDesign } = await autoPrintShop(t, engine)
    const { id, items } = await order(['First'], 'wc-processing')
    await look()
    await setDesign(items[0] ?? 0, 'Second')
    await setStatus(id, 'wc-processing')
    await look()
    await setStatus(id, 'wc-cancelled')
    await look()
    await setStatus(id, 'wc-processing')
    await look()
    t.strictSame(await jobsOf(host), [`wc:${id}:${items[0]} completed`])
  }),
)

t.test('autoPrint: two processes at once make one job for each item', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, another, order } = await autoPrintShop(t, engine)
    const other = await another()
    const made = await Promise.all([1, 2, 3, 4].map((number) => order([`Order ${number}`], 'wc-processing')))
    await Promise.all([printNewOrders(host.app), printNewOrders(other.app), printNewOrders(host.app)])
    const jobs = await eventually(
      () => jobsOf(host),
      (jobs) => jobs.filter((job) => job.endsWith('completed')).length === 4,
    )
    t.strictSame(jobs.sort(), made.map(({ id, items }) => `wc:${id}:${items[0]} completed`).sort())
  }),
)

t.test('autoPrint: items without pieces that are left are not printed', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, php, look, order, setStatus } = await autoPrintShop(t, engine)
    const { id, items } = await order(['None', 'Some'])
    for (const [index, quantity] of [0, 2].entries())
      await sql`insert into wp_woocommerce_order_itemmeta (order_item_id, meta_key, meta_value)
        values (${items[index]}, '_qty', ${String(quantity)})`.execute(php.connection.db)
    await setStatus(id, 'wc-processing')
    await look()
    t.strictSame(await jobsOf(host), [`wc:${id}:${items[1]} completed`])
  }),
)

t.test('POST /shortcode-orders: the order is printed at once, without a look', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host } = await autoPrintShop(t, engine, { autoPrint: { types: ['shortcode'], format: 'svg' } })
    const views = [{ title: 'Front', elements: [], options: { stageWidth: 100, stageHeight: 100 } }]
    const { body } = await host.call('POST', '/shortcode-orders', { views })
    const jobs = await eventually(
      () => jobsOf(host),
      ([job]) => job !== undefined && !/pending|processing/.test(job),
    )
    t.equal(jobs.length, 1)
    t.match(jobs[0], new RegExp(`^shortcode:${body.data.id}:0 `))
  }),
)

t.test('autoPrint: refuses to start without its table, and names what an option must be', async (t) => {
  await t.rejects(build(t, { autoPrint: { types: ['shop'] } as never }), /autoPrint.*wc, gf or shortcode/)
  const { address } = await build(t)
  const { connection } = await build(t, { address })
  await sql`drop table wp_svc_auto_prints`.execute(connection.db)
  await t.rejects(build(t, { address, migrate: false, autoPrint: true }), /wp_svc_auto_prints is missing/)
  await t.resolves(build(t, { address, migrate: false }))
})
