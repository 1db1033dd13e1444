// Orders that were refunded before they are printed, as WooCommerce stores refunds: what nobody pays for is not ordered.
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import type { Shop } from '../../support/fixtures/shop.ts'
import { type Engine, onEachEngine } from '../../support/hosts/build.ts'
import { printHost } from '../../support/hosts/print.ts'
import { type PrintedOrder, printfulShop, shipping } from '../../support/hosts/printful-shop.ts'
import { printful } from '../../support/peers/printful.ts'

async function make(t: Test, engine: Engine, shopKind: Shop) {
  const remote = await printful(t)
  const host = await printHost(t, { engine, printful: { url: remote.url } })
  const shop = await printfulShop(host, { shop: shopKind })
  await shop.setToken()
  /** Announces the print file of an item; the job. */
  const print = async ({ id, items }: PrintedOrder, at = 0) => {
    const details = { order_id: id, item_id: items[at], order_type: 'wc', variation_printful: shop.variation }
    const { guid } = await host.newJob(details)
    t.equal((await host.notify(guid)).status, 200)
    return host.job(guid)
  }
  const setStatus = ({ id }: PrintedOrder, status: string) =>
    (shopKind === 'tables'
      ? sql`update wp_wc_orders set status = ${status} where id = ${id}`
      : sql`update wp_posts set post_status = ${status} where ID = ${id}`
    ).execute(host.db)
  const quantities = (order: PrintedOrder) =>
    remote.orders
      .get(String(order.id))
      ?.items.map(({ external_id, quantity }) => [Number(external_id), quantity])
  return { remote, host, shop, print, quantities, setStatus }
}

for (const shopKind of ['posts', 'tables'] as const) {
  t.test(`orders as ${shopKind}: refunded pieces are not ordered, and the job says so`, async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const { remote, shop, print, quantities } = await make(t, engine, shopKind)
      const order = await shop.order([{ _qty: '4', _line_total: '79.60' }, {}], {
        shipping: { ...shipping, country: 'DE', state: 'DE-BY' },
        billing: {},
      })
      const [first, second] = order.items
      await shop.refund(order, [1])
      await shop.refund(order, [3], 'trash')
      const job = await print(order)
      t.match(job, {
        status: 'completed',
        warnings: [`1 of 4 pieces of the item ${first} were refunded and are not ordered.`],
      })
      const draft = remote.orders.get(String(order.id))
      t.match(draft?.items, [{ quantity: 3, retail_price: '19.90' }])
      t.match(draft?.recipient, { country_code: 'DE', state_code: 'BY' })

      const other = await print(order, 1)
      t.match(other.status, 'completed')
      t.notOk('warnings' in other)
      t.strictSame(quantities(order), [
        [first, 3],
        [second, 2],
      ])

      // A later refund counts for the next job of the item.
      await shop.refund(order, [1, 1])
      t.match(await print(order), { warnings: [/^2 of 4 /] })
      t.strictSame(quantities(order)?.[0], [first, 2])
    })
  })

  t.test(
    `orders as ${shopKind}: cancelled, failed and trashed orders are never sent to the provider`,
    async (t) => {
      await onEachEngine(t, async (t, engine) => {
        const { remote, shop, print, setStatus } = await make(t, engine, shopKind)
        for (const status of ['wc-cancelled', 'wc-failed', 'trash']) {
          const order = await shop.order([{}], { shipping, billing: {} })
          await setStatus(order, status)
          const name = status.replace('wc-', '')
          const message = `The order ${order.id} is ${name}; it is not sent to the print provider.`
          t.match(await print(order), { status: 'failed', error: { message } })
          t.notOk(remote.orders.has(String(order.id)))
        }
      })
    },
  )

  t.test(`orders as ${shopKind}: of what is refunded as a whole, nothing is ordered`, async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const { remote, shop, print, quantities, setStatus } = await make(t, engine, shopKind)
      const refusal = (message: string) => ({
        status: 'failed',
        error: { code: 'svc_print_provider_refused', message },
      })
      const order = await shop.order([{}, {}, { _qty: '1' }])
      const [first, second] = order.items
      await print(order)
      await shop.refund(order, [2])
      t.match(await print(order), refusal(`The item ${first} was refunded; nothing of it is left to print.`))
      t.strictSame(quantities(order), [[first, 2]], 'a refused job changes no draft')
      t.equal((await print(order, 1)).status, 'completed')
      t.strictSame(quantities(order), [[second, 2]], 'it is left out of the draft')
      await shop.refund(order, [0, 2, 1])
      const whole = refusal(`The order ${order.id} was refunded; nothing of it is left to print.`)
      t.match(await print(order, 1), whole)

      // An amount without pieces is a discount, unless it is everything.
      const paid = await shop.order([{}])
      await shop.refund(paid, [0])
      t.equal((await print(paid)).status, 'completed')
      const back = await shop.order([{}])
      await setStatus(back, 'wc-refunded')
      t.match(
        await print(back),
        refusal(`The order ${back.id} was refunded; nothing of it is left to print.`),
      )
      t.notOk(remote.orders.has(String(back.id)))
    })
  })

  t.test(
    `orders as ${shopKind}: a draft loses items that its order no longer has, and keeps foreign ones`,
    async (t) => {
      await onEachEngine(t, async (t, engine) => {
        const { remote, host, shop, print, quantities } = await make(t, engine, shopKind)
        const order = await shop.order([{}, {}, {}])
        const other = await shop.order([{}])
        const [first, lost, moved] = order.items
        for (const at of [0, 1, 2]) await print(order, at)
        const draft = remote.orders.get(String(order.id))
        const [item] = draft?.items ?? []
        if (item) draft?.items.push({ ...item, id: 990_001, external_id: '990001' })
        t.strictSame(quantities(order)?.length, 4)
        await sql`delete from wp_woocommerce_order_items where order_item_id = ${lost}`.execute(host.db)
        await sql`update wp_woocommerce_order_items set order_id = ${other.id} where order_item_id = ${moved}`.execute(
          host.db,
        )
        t.equal((await print(order)).status, 'completed')
        t.strictSame(quantities(order), [
          [first, 2],
          [990_001, 2],
        ])
      })
    },
  )
}
