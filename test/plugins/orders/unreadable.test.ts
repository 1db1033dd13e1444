// Designs in orders that are too large to be parsed beside other requests: customers write those of the shop without any limit.
import t from 'tap'
import { svcDesk } from '../../../plugins/index.ts'
import { newProduct } from '../../support/fixtures/rows.ts'
import { createShop, shopOrder } from '../../support/fixtures/shop.ts'
import { build, onEachEngine, type TestHost } from '../../support/hosts/build.ts'
import { screenClient } from '../../support/hosts/screen.ts'

const list = (count: number, part: (index: number) => string) =>
  `[${Array.from({ length: count }, (_, index) => part(index)).join(',')}]`
/** Of 8 MB. */
const designs = {
  'escaped names': list(400_000, (index) => `{"\\u00e4${index}":1}`),
  brackets: list(2_600_000, () => '[]'),
  levels: `${'['.repeat(513)}${']'.repeat(513)}`,
}

async function orderWith(host: TestHost, design: string, key = '_svc_data') {
  const { id, items } = await shopOrder(host, 'posts', { items: [{ meta: [[key, design]] }] })
  return { id, item: items[0] ?? 0 }
}

const unreadable = {
  status: 500,
  body: { code: 'svc_unreadable_value', data: { column: 'meta_value' } },
}

t.test('orders with designs of too many values, names or levels are unreadable on every way', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, {
      engine,
      renderer: {},
      after: (app) => {
        app.register(svcDesk, { prefix: '/desk', authorize: () => true })
      },
    })
    await createShop(host)
    const desk = screenClient(host.app, { prefix: '/desk' })
    for (const [name, design] of Object.entries(designs)) {
      const { id, item } = await orderWith(host, design)
      const order = `/orders/${id}`
      t.match(await host.call('GET', order), unreadable, `GET ${name}`)
      for (const part of ['preflight', 'preview'])
        t.match(await host.call('GET', `${order}/${part}?item_id=${item}`), unreadable, `${part} ${name}`)
      t.match(await host.call('POST', `${order}/export`, { item_id: item }), unreadable, `export ${name}`)
      t.match(await host.call('GET', '/orders'), { status: 200 }, `list with ${name}`)
      const page = await desk.get(`order?type=wc&id=${id}`)
      t.equal(page.status, 200, `desk ${name}`)
      const noted = await orderWith(host, design, 'Note')
      t.match(await host.call('GET', `/orders/${noted.id}?item_key=Note`), unreadable, `literal ${name}`)
    }
  }),
)

t.test('PATCH /products/{id}: 413 when the merged options would hold more values than can be read', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const product = await newProduct(host)
    const half = (name: string) => ({ options: { [name]: Array.from({ length: 300_000 }, () => 1) } })
    const path = `/products/${product}`
    t.equal((await host.call('PATCH', path, half('a'))).status, 200)
    const merged = await host.call('PATCH', path, half('b'))
    t.match(merged, { status: 413, body: { code: 'svc_body_too_large', message: /500,000 values/ } })
    t.equal((await host.call('GET', path)).body.data.options.a.length, 300_000)
  }),
)
