// Designs that the shop stores as a string in PHP's serialize() format, once or twice.
import t from 'tap'
import { createShop, row, shopOrder, useShop } from '../../support/fixtures/shop.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'

const php = (text: string) => `s:${Buffer.byteLength(text)}:"${text}";`
const design = { product: [{ title: 'Säule "vorn" 🎽', elements: [] }] }
const json = JSON.stringify(design)

t.test('GET /orders/{id}: a serialized string is read as maybe_unserialize reads it, in any layer', (t) =>
  onEachEngine(t, async (t, engine) => {
    for (const shop of ['posts', 'tables'] as const) {
      const host = await build(t, { engine })
      await createShop(host)
      await useShop(host, shop)
      const stored = {
        once: php(json),
        twice: php(php(json)),
        slashed: php(json.replaceAll('\\', '\\\\').replaceAll('"', '\\"')),
        array: php(`a:1:{${php('svc_product')}${php(JSON.stringify(design.product))}}`),
      }
      for (const [how, value] of Object.entries(stored)) {
        const { id, items } = await shopOrder(host, shop, { items: [{ meta: [['_svc_data', value]] }] })
        const { body } = await host.call('GET', `/orders/${id}`)
        const [item] = body.data.items
        t.strictSame(how === 'array' ? item.svc_product : item.product, design.product, how)
        const same = await host.call('PATCH', `/orders/${id}`, { item_id: items[0], order: item })
        t.equal(same.status, 200, `${how} can be sent back`)
      }
    }
  }),
)

t.test('GET /orders/{id}: 404 for a serialized string that stands for no design', async (t) => {
  const host = await build(t)
  await createShop(host)
  for (const value of [php(''), php('[]'), php(php('null')), php('a:0:{}')]) {
    const { id } = await shopOrder(host, 'posts', { items: [{ meta: [['_svc_data', value]] }] })
    t.equal((await host.call('GET', `/orders/${id}`)).status, 404, value)
  }
})

t.test('GET /orders/{id}: 500 for a serialized string whose length is wrong', async (t) => {
  const host = await build(t)
  await createShop(host)
  const value = `s:${json.length}:"${json}";`
  const { id } = await shopOrder(host, 'posts', { items: [{ meta: [['_svc_data', value]] }] })
  t.match(await host.call('GET', `/orders/${id}`), { status: 500, body: { code: 'svc_unreadable_value' } })
})

t.test('GET /orders/{id}: a serialized string under another key is read as its text', async (t) => {
  const host = await build(t)
  await createShop(host)
  const { id, items } = await shopOrder(host, 'posts', { items: [{ meta: [['_svc_data', json]] }] })
  const values = { order_item_id: items[0], meta_key: 'note', meta_value: php(php('größer')) }
  await row(host, 'woocommerce_order_itemmeta', values)
  const { body } = await host.call('GET', `/orders/${id}?item_key=note`)
  t.equal(body.data.items[0].data, 'größer')
})
