// What the provider said, where the shop keeps its orders twice: some releases delete from one side what the other one lacks.
import { sql } from 'kysely'
import t from 'tap'
import { row } from '../../support/fixtures/shop.ts'
import { onEachEngine } from '../../support/hosts/build.ts'
import { printHost } from '../../support/hosts/print.ts'
import { printfulShop } from '../../support/hosts/printful-shop.ts'
import { printful } from '../../support/peers/printful.ts'

const keys = ['_svc_printful_order_data', '_svc_printful_order_dashboard_url']

for (const shopKind of ['tables', 'posts'] as const) {
  t.test(`orders in ${shopKind} with a copy: both get the same rows, once`, async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const changes: object[] = []
      const remote = await printful(t)
      const host = await printHost(t, {
        engine,
        printful: { url: remote.url },
        onMetaChanged: (change) => changes.push(change),
      })
      const shop = await printfulShop(host, { shop: shopKind })
      await shop.setToken()
      const values = {
        option_name: 'woocommerce_custom_orders_table_data_sync_enabled',
        option_value: 'yes',
        autoload: 'yes',
      }
      await host.db.insertInto(host.t.options).values(values).execute()
      const order = await shop.order([{}, {}])
      const alone = await shop.order()
      // The other one is a placeholder for an order that is not copied yet, or has no copy at all.
      if (shopKind === 'tables')
        await sql`update wp_posts set post_type = 'shop_order' where ID = ${order.id}`.execute(host.db)
      else await row(host, 'wc_orders', { id: order.id, status: 'wc-processing', type: 'shop_order' })

      const print = async (id: number, item_id = 0) => {
        const details = { order_id: id, item_id, order_type: 'wc', variation_printful: shop.variation }
        const { guid } = await host.newJob(details)
        t.match(await host.notify(guid), { status: 200, body: { data: { status: 'completed' } } })
      }
      for (const item of order.items) await print(order.id, item)
      await print(alone.id, alone.items[0])

      const stored = async (table: string, owner: string, id: number) =>
        (
          await sql<{
            meta_key: string
            meta_value: string
          }>`select meta_key, meta_value from ${sql.table(table)}
            where ${sql.ref(owner)} = ${id} and meta_key like '_svc_printful%' order by meta_key`.execute(
            host.db,
          )
        ).rows.map(({ meta_key, meta_value }) => [meta_key, meta_value])
      const inTables = await stored('wp_wc_orders_meta', 'order_id', order.id)
      t.strictSame(
        inTables.map(([key]) => key),
        [...keys].sort(),
      )
      t.match(inTables.find(([key]) => key === keys[0])?.[1], new RegExp(`"${order.items[1]}"`))
      t.strictSame(await stored('wp_postmeta', 'post_id', order.id), inTables)
      const lengths = {
        tables: (await stored('wp_wc_orders_meta', 'order_id', alone.id)).length,
        posts: (await stored('wp_postmeta', 'post_id', alone.id)).length,
      }
      t.strictSame(lengths, shopKind === 'tables' ? { tables: 2, posts: 0 } : { tables: 0, posts: 2 })
      const both = ['wp_wc_orders_meta', 'wp_postmeta'].map((table) => ({ table, objectId: order.id, keys }))
      if (shopKind === 'posts') both.reverse()
      const one = { ...both[0], objectId: alone.id }
      t.strictSame(changes, [...both, ...both, one])
    })
  })
}

t.test('a shop that has lost the tables of its copy still gets its meta', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const remote = await printful(t)
    const host = await printHost(t, { engine, printful: { url: remote.url } })
    const shop = await printfulShop(host, { shop: 'posts' })
    await shop.setToken()
    await host.db
      .insertInto(host.t.options)
      .values({
        option_name: 'woocommerce_custom_orders_table_data_sync_enabled',
        option_value: 'yes',
        autoload: 'yes',
      })
      .execute()
    for (const table of ['wp_wc_orders', 'wp_wc_orders_meta'])
      await sql`drop table ${sql.table(table)}`.execute(host.db)
    const order = await shop.order()
    const details = { order_id: order.id, item_id: order.items[0], variation_printful: shop.variation }
    const { guid } = await host.newJob({ ...details, order_type: 'wc' })
    t.match(await host.notify(guid), { status: 200, body: { data: { status: 'completed' } } })
    t.equal((await shop.meta(order.id, keys[0] ?? '')).length, 1)
  })
})
