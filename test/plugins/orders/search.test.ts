// The search of shop orders: by everything that a list shows of an order.
import t from 'tap'
import { createShop, row, type Shop, shopOrder, useShop } from '../../support/fixtures/shop.ts'
import { build, onEachEngine, type TestHost } from '../../support/hosts/build.ts'

const design: [string, string] = ['_svc_data', '{"product":[]}']

/** Keys under which plugins for order numbers store them. */
const numberKeys = [
  '_order_number_formatted',
  '_alg_wc_full_custom_order_number',
  '_ywson_custom_number_order_complete',
  '_order_number',
  '_alg_wc_custom_order_number',
  '_wcj_order_number',
]

const addMeta = (host: TestHost, shop: Shop, id: number, meta_key: string, meta_value: string) =>
  shop === 'tables'
    ? row(host, 'wc_orders_meta', { order_id: id, meta_key, meta_value })
    : row(host, 'postmeta', { post_id: id, meta_key, meta_value })

t.test(
  'GET /orders, GET /orders/{id}: search finds the numbers of plugins, and order_number shows them',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      for (const shop of ['posts', 'tables'] satisfies Shop[]) {
        const host = await build(t, { engine })
        await createShop(host)
        await useShop(host, shop)
        const found = async (search: string) => {
          const { body } = await host.call('GET', `/orders?search=${encodeURIComponent(search)}`)
          return body.data.map((order: { id: number; order_number: string }) => [
            order.id,
            order.order_number,
          ])
        }
        for (const [i, key] of numberKeys.entries()) {
          const { id } = await shopOrder(host, shop, { items: [{ meta: [design] }] })
          const number = `WEB-2026-001${i}`
          await addMeta(host, shop, id, key, number)
          t.same(await found(number.toLowerCase()), [[id, number]], key)
          t.equal((await host.call('GET', `/orders/${id}`)).body.data.order_number, number, key)
        }
        const both = await shopOrder(host, shop, { items: [{ meta: [design] }], number: '20' })
        await addMeta(host, shop, both.id, '_order_number_formatted', 'R-20')
        t.same(await found('r-20'), [[both.id, 'R-20']], 'the number as the shop shows it')
        const plain = await shopOrder(host, shop, { items: [{ meta: [design] }] })
        t.same(await found(`#${plain.id}`), [[plain.id, String(plain.id)]])
        t.ok((await found(String(plain.id))).length >= 1)
      }
    }),
)

t.test(
  'GET /orders: search finds given and family name in either order, a product, an SKU, an attribute',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const host = await build(t, { engine })
      await createShop(host)
      await useShop(host, 'tables')
      const product = await row(host, 'posts', { post_type: 'product' })
      await row(host, 'postmeta', { post_id: product, meta_key: '_sku', meta_value: 'TEE-9-XL' })
      const { id } = await shopOrder(host, 'tables', {
        first: 'Mary Ann',
        last: 'Ångström',
        mail: 'm@shop.example',
        items: [
          {
            name: 'Zipped Hoodie',
            meta: [design, ['_product_id', String(product)], ['Color', 'Petrol blue']],
          },
        ],
      })
      await shopOrder(host, 'tables', { items: [{ name: 'Mug', meta: [design] }] })
      const found = async (search: string) =>
        (await host.call('GET', `/orders?fields=id&search=${encodeURIComponent(search)}`)).body.data.map(
          (order: { id: number }) => order.id,
        )
      for (const search of [
        'mary ann ång',
        'ÅNGSTRÖM mary',
        'm@shop',
        'zipped h',
        'tee-9-xl',
        'TEE-9',
        'petrol',
      ])
        t.same(await found(search), [id], search)
      for (const search of ['ann mary', 'hoodie tee', 'tee-9-xs']) t.same(await found(search), [], search)
    }),
)
