// The statements behind the orders that a print provider needs, as snapshots, and what is read when rows are doubled.
import { Kysely, MysqlDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import t from 'tap'
import { connect, databaseOn } from '../../../src/db/connect.ts'
import { nodeSqlite } from '../../../src/db/sqlite.ts'
import { providerOrders } from '../../../src/orders/provider-orders.ts'
import { cmsOptions } from '../../../src/settings/cms.ts'
import { row } from '../../support/fixtures/shop.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'
import { printfulShop } from '../../support/hosts/printful-shop.ts'
import { asCompiled } from '../../support/hosts/statements.ts'

for (const shopKind of ['posts', 'tables'] as const) {
  t.test(`orders as ${shopKind}`, async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const host = await build(t, { engine })
      const shop = await printfulShop(host, { shop: shopKind })
      const order = await shop.order()
      const item = {
        orderId: String(order.id),
        orderType: 'wc',
        itemId: order.items[0] ?? 0,
        variation: '300',
      }
      const seen: string[] = []
      const own = new Kysely({
        dialect:
          engine === 'SQLite'
            ? nodeSqlite(host.address.slice('sqlite:'.length))
            : new MysqlDialect({
                pool: createPool({ uri: host.address, charset: 'utf8mb4', connectionLimit: 1 }),
              }),
        log: ({ query }) => void seen.push(engine === 'SQLite' ? query.sql : asCompiled(query).sql),
      })
      t.teardown(() => own.destroy())
      const database = await databaseOn(await connect({ database: own }))
      const orders = providerOrders({ database, cms: cmsOptions(database), metaChanged: async () => {} })
      const record = async (name: string, work: () => Promise<unknown>) => {
        seen.length = 0
        await work()
        t.matchSnapshot(seen.map((statement) => statement.replaceAll(/\s+/g, ' ')).join('\n'), name)
      }
      await record('line of an order', async () => t.equal((await orders.line(item)).quantity, 2))
      await record('first write', () =>
        orders.ordered(item.orderId, { id: 7, dashboard_url: 'https://x.example/7' }),
      )
      await record('second write', () =>
        orders.ordered(item.orderId, { id: 8, dashboard_url: 'https://x.example/8' }),
      )
      t.same(await shop.meta(order.id, '_svc_printful_order_dashboard_url'), ['https://x.example/8'])

      await sql`update wp_woocommerce_order_items set order_item_name = 'Se&aacute;n&#8217;s <b>mug</b>'`.execute(
        host.connection.db,
      )
      t.equal((await orders.line(item)).name, 'Seán’s mug')

      // PHP reads the oldest of several rows under one key.
      const meta = { order_item_id: item.itemId, meta_key: '_qty', meta_value: '9' }
      await row(host, 'woocommerce_order_itemmeta', meta)
      t.equal((await orders.line(item)).quantity, 2)
    })
  })
}
