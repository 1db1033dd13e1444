// The index by which lists of a large shop select and count orders, while PHP and print jobs change them.
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { secondsOfDays } from '../../../src/core/time-in.ts'
import { databaseOn } from '../../../src/db/connect.ts'
import { orderRows } from '../../../src/orders/order-rows.ts'
import { ordersOf } from '../../../src/orders/orders.ts'
import type { ListQuery } from '../../../src/orders/source.ts'
import { wcSource } from '../../../src/orders/wc.ts'
import { printJobSteps } from '../../../src/print/print-job-steps.ts'
import { printJobsRepository } from '../../../src/print/print-jobs.ts'
import { cmsOptions } from '../../../src/settings/cms.ts'
import { createShop, row, type Shop, shopOrder, useShop } from '../../support/fixtures/shop.ts'
import { build, onEachEngine, type TestHost } from '../../support/hosts/build.ts'

const meta: [string, string][] = [['_svc_data', '{"product":[]}']]
const design = { items: [{ meta }] }
const bothShops: Shop[] = ['posts', 'tables']
const storedFile = '{"local_file":"/var/www/uploads/svc/print_files/a.pdf"}'

const all = { include: undefined, search: undefined, limit: 50, offset: 0 }

/** Lists by the index, as another process of a large shop has them, and without it. */
async function lists(host: TestHost) {
  const database = await databaseOn(host.connection)
  const cms = cmsOptions(database)
  const listOf = (smallShop: number) => {
    const { of } = ordersOf(database, cms, { smallShop })
    return async (query: Partial<ListQuery> = {}, type = 'wc') => {
      const { orders, total } = await of(type).list({ ...all, ...query })
      return [orders.map(({ id }) => id), await total()]
    }
  }
  return { database, cms, indexed: listOf(0), other: listOf(0), plain: listOf(1e6) }
}

async function shopHost(t: Test, engine: TestHost['engine'], shop: Shop) {
  const host = await build(t, { engine })
  await createShop(host)
  await useShop(host, shop)
  return host
}

/** A change of state as the shop writes it. */
async function setStatus(host: TestHost, shop: Shop, id: number, status: string) {
  const saved = new Date().toISOString().slice(0, 19).replace('T', ' ')
  if (shop === 'tables')
    return sql`update wp_wc_orders set status = ${status}, date_updated_gmt = ${saved} where id = ${id}`.execute(
      host.db,
    )
  await sql`update wp_posts set post_status = ${status} where ID = ${id}`.execute(host.db)
  await row(host, 'comments', { comment_post_ID: id, comment_type: 'order_note' })
}

t.test('orders.list: a large shop has the same pages, counts and searches as a small one', (t) =>
  onEachEngine(t, async (t, engine) => {
    for (const shop of bothShops) {
      const host = await shopHost(t, engine, shop)
      const names = ['Zoë', 'Ada', 'Grace']
      for (const [i, first] of [...names, ...names].entries())
        await shopOrder(host, shop, {
          ...design,
          first,
          status: i % 2 ? 'wc-processing' : 'wc-completed',
          created: `2026-0${1 + (i % 4)}-0${1 + i} 23:59:59`,
          number: `WEB-2026-00${i}`,
        })
      await shopOrder(host, shop, { ...design, status: 'trash' })
      await shopOrder(host, shop, { items: [{}] })
      const { indexed, plain } = await lists(host)
      const queries: Partial<ListQuery>[] = [
        {},
        { limit: 2, offset: 2 },
        { limit: 2, offset: 6 },
        { statuses: ['processing'] },
        { statuses: ['processing', 'completed'], limit: 1 },
        ...[
          { since: '2026-02-01' },
          { until: '2026-02-02' },
          { since: '2026-01-01', until: '2026-01-31' },
        ].map((days) => secondsOfDays(days, 'UTC')),
        { hasPrintFile: true },
        { hasPrintFile: false, statuses: ['completed'] },
        ...[
          'zoë',
          'WEB-2026-0005',
          '#web-2026',
          'lovelace ada',
          'ada lovelace',
          'shirt',
          '@shop',
          '%',
          'zeppelin',
        ].map((search) => ({ search })),
      ]
      for (const query of queries)
        t.same(await indexed(query), await plain(query), `${shop} ${JSON.stringify(query)}`)
      t.equal((await indexed({ search: 'lovelace ada' }))[1], 2)
    }
  }),
)

t.test('orders.list: what PHP creates, changes and deletes shows at once in every process', (t) =>
  onEachEngine(t, async (t, engine) => {
    for (const shop of bothShops) {
      const host = await shopHost(t, engine, shop)
      const first = await shopOrder(host, shop, design)
      const { indexed, other } = await lists(host)
      t.same(await indexed(), [[first.id], 1])
      const second = await shopOrder(host, shop, design)
      t.same(
        [await other(), await indexed()],
        [
          [[second.id, first.id], 2],
          [[second.id, first.id], 2],
        ],
      )
      await setStatus(host, shop, first.id, 'wc-on-hold')
      t.same(
        [await indexed({ statuses: ['on-hold'] }), await other({ statuses: ['on-hold'] })],
        [
          [[first.id], 1],
          [[first.id], 1],
        ],
      )
      await setStatus(host, shop, second.id, 'trash')
      t.same(await other(), [[first.id], 1])
      const third = await shopOrder(host, shop, design)
      t.same(await indexed(), [[third.id, first.id], 2])
      await sql`delete from ${sql.table(shop === 'posts' ? 'wp_posts' : 'wp_wc_orders')} where id = ${third.id}`.execute(
        host.db,
      )
      t.same(await other({ limit: 1 }), [[first.id], 1], 'a deleted order leaves no gap')
      await sql`delete from wp_woocommerce_order_itemmeta where order_item_id = ${first.items[0]}`.execute(
        host.db,
      )
      t.same(await indexed(), [[], 0], 'a deleted design')
    }
  }),
)

t.test('orders.list has_print_file: print jobs of ours and of PHP move an order', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await shopHost(t, engine, 'tables')
    const { id, items } = await shopOrder(host, 'tables', { items: [{ meta }, { meta }] })
    const { database, indexed, other } = await lists(host)
    const printed = async () => [
      (await indexed({ hasPrintFile: true }))[1],
      (await other({ hasPrintFile: false }))[1],
    ]
    t.same(await printed(), [0, 1])
    const jobs = printJobsRepository(database)
    const job = await jobs.create({ order_id: id, item_id: items[0], order_type: 'wc' })
    const details = JSON.stringify({ order_id: String(id), item_id: items[1] })
    const php = { guid: '5f3a9c1b2d4ef', status: 'completed', details, data: storedFile }
    await host.db.insertInto(host.t.print_jobs).values(php).execute()
    t.same(await printed(), [0, 1])
    const claimed = await printJobSteps(database, 30).claim({ id: job.id, details: null }, 'a')
    await host.db
      .updateTable(host.t.print_job_steps)
      .set({ order_ref: `wc:${id}`, item_id: items[0] ?? 0 })
      .where('job_id', '=', job.id)
      .execute()
    await claimed?.lease.stored({ local_file: 'a.pdf' })
    await claimed?.lease.finish('completed')
    t.same(await printed(), [1, 0])
    await jobs.remove(job.guid)
    t.same(await printed(), [0, 1])
  }),
)

t.test('orders.list: a fill that was interrupted goes on, also in two processes at once', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await shopHost(t, engine, 'tables')
    const ids: number[] = []
    for (let i = 0; i < 12; i++) ids.unshift((await shopOrder(host, 'tables', design)).id)
    const { database, cms, indexed, other } = await lists(host)
    await ordersOf(database, cms, { smallShop: 0 }).fillIndexes()
    // As a process leaves it that was killed between two steps.
    await sql`delete from wp_svc_order_index where order_id > ${ids[6]}`.execute(host.db)
    await sql`update wp_svc_order_index set is_listed = 0, is_stale = 1 where order_id = ${ids[8]}`.execute(
      host.db,
    )
    const option = host.db.updateTable(host.t.options).where('option_name', '=', 'svc_order_index_wc')
    const progress = await host.db
      .selectFrom(host.t.options)
      .select('option_value')
      .where('option_name', '=', 'svc_order_index_wc')
      .executeTakeFirstOrThrow()
    await option
      .set({ option_value: JSON.stringify({ ...JSON.parse(String(progress.option_value)), filled: 1 }) })
      .execute()
    const search = { search: 'lovelace' }
    t.same(await Promise.all([indexed(search), other(search)]), [
      [ids, 12],
      [ids, 12],
    ])
    t.same(await indexed(), [ids, 12])
  }),
)

t.test('order index: an order that changes while it is read is read once more', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await shopHost(t, engine, 'tables')
    const { id } = await shopOrder(host, 'tables', design)
    const database = await databaseOn(host.connection)
    const source = wcSource(database, cmsOptions(database))
    const late = orderRows(database, 'wc', source)
    let changes = 1
    const rows = orderRows(database, 'wc', {
      ...source,
      async list(query) {
        const found = await source.list(query)
        if (changes-- > 0) {
          await setStatus(host, 'tables', id, 'wc-failed')
          await late.markStale([id])
        }
        return found
      },
    })
    await rows.markStale([id])
    await rows.refreshStale(1)
    const failed = { ...all, statuses: ['failed'] }
    t.equal(await (await rows.page(failed)).total(), 0)
    await rows.refreshStale(1)
    t.equal(await (await rows.page(failed)).total(), 1)
  }),
)

t.test('order index: a change without a trace is found by comparing', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await shopHost(t, engine, 'posts')
    const [gone, changed, added] = [
      await shopOrder(host, 'posts', design),
      await shopOrder(host, 'posts', design),
      await shopOrder(host, 'posts', design),
    ]
    const database = await databaseOn(host.connection)
    const rows = orderRows(database, 'wc', wcSource(database, cmsOptions(database)))
    await rows.markStale([gone.id, changed.id])
    await rows.refreshStale(10)
    await sql`delete from wp_posts where ID = ${gone.id}`.execute(host.db)
    await sql`update wp_posts set post_status = 'wc-on-hold' where ID = ${changed.id}`.execute(host.db)
    await rows.compare([gone.id, changed.id, added.id])
    t.equal(await rows.refreshStale(10), 3)
    t.same(await rows.nextIds(0, 10), [changed.id, added.id])
    t.equal(await (await rows.page({ ...all, statuses: ['on-hold'] })).total(), 1)
    await rows.compare([changed.id, added.id])
    t.equal(await rows.refreshStale(10), 0)
  }),
)
