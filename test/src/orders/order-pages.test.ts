// Pages of the order index far from its beginning are those that an offset finds.
import t from 'tap'
import { databaseOn } from '../../../src/db/connect.ts'
import { orderRows } from '../../../src/orders/order-rows.ts'
import { wcSource } from '../../../src/orders/wc.ts'
import { cmsOptions } from '../../../src/settings/cms.ts'
import { insertMany } from '../../support/fixtures/key-layouts.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'

t.test('orderRows().page: the same orders as by offset alone, newest first, also of the same second', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const count = 12_000
    const rows = Array.from({ length: count }, (_, i) => ({
      source: 'wc',
      order_id: i + 1,
      is_listed: 1,
      is_stale: 0,
      status: i % 2 ? 'completed' : 'processing',
      created: i < 9 ? 0 : 1_700_000_000 + 1500 * Math.floor(i / 3),
    }))
    await insertMany(host.db, host.t.order_index, rows)
    const newestFirst = rows.toSorted((a, b) => b.created - a.created || b.order_id - a.order_id)
    const database = await databaseOn(host.connection)
    const { page } = orderRows(database, 'wc', wcSource(database, cmsOptions(database)))
    const query = { include: undefined, search: undefined, limit: 20 }
    const everySecond = newestFirst.filter(({ status }) => status === 'completed')
    for (const offset of [0, 5000, 5001, 5990, 8000, count - 10, count, count + 50]) {
      for (const [statuses, all] of [
        [undefined, newestFirst],
        [['completed'], everySecond],
      ] as const) {
        const found = await page({ ...query, offset, statuses })
        const expected = all.slice(offset, offset + 20).map(({ order_id }) => order_id)
        t.same(found.ids, expected, `${statuses} at ${offset}`)
        t.equal(await found.total(), all.length)
      }
    }
  }),
)
