// What was bought, in the responses of orders of the shop: product, quantity, refunds and attributes, as the shop shows them.
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { createShop, row, type Shop, shopOrder, useShop } from '../../support/fixtures/shop.ts'
import { build, type Engine, onEachEngine, type TestHost } from '../../support/hosts/build.ts'

const design = '{"product":[{"title":"Front","elements":[]}]}'
const bytes = (text: string) => Buffer.byteLength(text)
const php = (text: string) => `s:${bytes(text)}:"${text}";`

async function shopOn(t: Test, engine: Engine, shop: Shop): Promise<TestHost> {
  const host = await build(t, { engine })
  await createShop(host)
  await useShop(host, shop)
  return host
}

/** A variable product with one variation and the global attribute `pa_size`. */
async function shirt(host: TestHost) {
  const product = await row(host, 'posts', { post_type: 'product', post_title: 'Shirt' })
  const variation = await row(host, 'posts', { post_type: 'product_variation', post_parent: product })
  const meta = (post_id: number, meta_key: string, meta_value: string) =>
    row(host, 'postmeta', { post_id, meta_key, meta_value })
  await meta(product, '_sku', 'SHIRT')
  await meta(variation, '_sku', 'SHIRT-XL')
  const name = `a:2:{${php('name')}${php('Neck line')}${php('is_taxonomy')}i:0;}`
  await meta(product, '_product_attributes', `a:1:{${php('neck-line')}${name}}`)
  await row(host, 'woocommerce_attribute_taxonomies', {
    attribute_name: 'size',
    attribute_label: 'Size &amp; fit',
  })
  const term = await row(host, 'terms', { name: 'Extra large', slug: 'xl' })
  await row(host, 'term_taxonomy', { term_id: term, taxonomy: 'pa_size' })
  return { product, variation }
}

async function refund(host: TestHost, shop: Shop, order: number, pieces: [item: number, quantity: string][]) {
  const items = pieces.map(([item, quantity]) => ({
    meta: [
      ['_refunded_item_id', String(item)],
      ['_qty', quantity],
    ] as [string, string][],
  }))
  const { id } = await shopOrder(host, shop, { type: 'shop_order_refund', status: 'wc-completed', items })
  const parent = shop === 'tables' ? 'parent_order_id' : 'post_parent'
  const table = shop === 'tables' ? 'wc_orders' : 'posts'

  await sql`update ${sql.table(`wp_${table}`)} set ${sql.ref(parent)} = ${order} where id = ${id}`.execute(
    host.connection.db,
  )
}

t.test('GET /orders/{id}: order_item has product, sku, pieces and the attributes that the shop shows', (t) =>
  onEachEngine(t, async (t, engine) => {
    for (const shop of ['posts', 'tables'] as const) {
      const host = await shopOn(t, engine, shop)
      const { product, variation } = await shirt(host)
      const { id, items } = await shopOrder(host, shop, {
        items: [
          {
            name: 'Se&aacute;n&#8217;s <b>shirt</b>',
            meta: [
              ['_svc_data', design],
              ['_qty', '3'],
              ['_product_id', String(product)],
              ['_variation_id', String(variation)],
              ['pa_size', 'xl'],
              ['neck-line', 'V%20neck'],
              ['Gift wrap', 'Yes &#8211; red'],
              ['_hidden', 'no'],
              ['options', 'a:1:{i:0;s:1:"x";}'],
            ],
          },
        ],
      })
      await refund(host, shop, id, [[items[0] ?? 0, '-2']])
      const { body } = await host.call('GET', `/orders/${id}`)
      t.equal(body.data.status, 'processing')
      t.same(body.data.items[0].order_item, {
        name: 'Seán’s shirt',
        sku: 'SHIRT-XL',
        product_id: product,
        variation_id: variation,
        quantity: 3,
        refunded: 2,
        attributes: [
          { name: 'Size & fit', value: 'Extra large' },
          { name: 'Neck line', value: 'V neck' },
          { name: 'Gift wrap', value: 'Yes – red' },
        ],
      })
      t.strictSame(body.data.items[0].product, [{ title: 'Front', elements: [] }])
    }
  }),
)

t.test('PATCH /orders/{id}: order_item is taken out again when an item is sent back', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await shopOn(t, engine, 'tables')
    const { id, items } = await shopOrder(host, 'tables', { items: [{ meta: [['_svc_data', design]] }] })
    const { body } = await host.call('GET', `/orders/${id}`)
    const [item] = body.data.items
    const changed = { ...item, product: [{ title: 'Back', elements: [] }] }
    const answer = await host.call('PATCH', `/orders/${id}`, { item_id: items[0], order: changed })
    t.equal(answer.status, 200)
    t.match(answer.body.data.items[0], { order_item: { name: 'Shirt' }, product: [{ title: 'Back' }] })

    const { rows } = await sql<{
      value: string
    }>`select meta_value as value from wp_woocommerce_order_itemmeta
      where meta_key = '_svc_data'`.execute(host.connection.db)
    t.strictSame(JSON.parse(rows[0]?.value ?? ''), { product: [{ title: 'Back', elements: [] }] })
  }),
)

t.test('GET /orders/{id}: quantities that are no whole number are returned as they are stored', async (t) => {
  const host = await shopOn(t, 'SQLite', 'posts')
  for (const [stored, quantity] of [
    ['2.5', 2.5],
    ['0', 0],
    ['many', null],
  ] as const) {
    const meta: [string, string][] = [
      ['_svc_data', design],
      ['_qty', stored],
    ]
    const { id } = await shopOrder(host, 'posts', { items: [{ meta }] })
    const { body } = await host.call('GET', `/orders/${id}`)
    t.equal(body.data.items[0].order_item.quantity, quantity, stored)
  }
})

t.test('GET /orders/{id}: a shop without tables of attributes shows their stored slugs', async (t) => {
  const host = await build(t)
  await createShop(host, ['posts', 'postmeta', 'woocommerce_order_items', 'woocommerce_order_itemmeta'])
  const meta: [string, string][] = [
    ['_svc_data', design],
    ['pa_size', 'xl'],
  ]
  const { id } = await shopOrder(host, 'posts', { items: [{ meta }] })
  const { body } = await host.call('GET', `/orders/${id}`)
  t.strictSame(body.data.items[0].order_item.attributes, [{ name: 'size', value: 'xl' }])
})

t.test(
  'GET /orders/{id}: names of terms whose slugs are stored encoded, and values that PHP serialized',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const host = await shopOn(t, engine, 'tables')
      await row(host, 'woocommerce_attribute_taxonomies', {
        attribute_name: 'color',
        attribute_label: 'Цвет',
      })
      const slug = '%d1%82%d1%91%d0%bc%d0%bd%d1%8b%d0%b9'
      const term = await row(host, 'terms', { name: 'Тёмный, матовый', slug })
      await row(host, 'term_taxonomy', { term_id: term, taxonomy: 'pa_color' })
      const meta: [string, string][] = [
        ['_svc_data', design],
        ['pa_color', slug],
        ['pa_color', 'тёмный'],
        ['Pieces in a box', 'i:12;'],
        ['Weight', 'd:2.5;'],
        ['Gift', 'b:1;'],
        ['Engraving', php('For Ada')],
        ['Ratio', 'i:x;'],
      ]
      const { id } = await shopOrder(host, 'tables', { items: [{ meta }] })
      const { body } = await host.call('GET', `/orders/${id}`)
      t.strictSame(
        body.data.items[0].order_item.attributes.map(({ value }: { value: string }) => value),
        ['Тёмный, матовый', 'Тёмный, матовый', '12', '2.5', '1', 'For Ada', 'i:x;'],
      )
      t.equal(body.data.items[0].order_item.attributes[0].name, 'Цвет')
    }),
)

t.test('GET /orders/{id}: a quantity that PHP does not count as a number is null', async (t) => {
  const host = await shopOn(t, 'SQLite', 'tables')
  for (const [stored, quantity] of [
    ['0x10', null],
    ['Infinity', null],
    ['1e3', 1000],
    [' 2.0', 2],
    ['.', null],
  ] as const) {
    const meta: [string, string][] = [
      ['_svc_data', design],
      ['_qty', stored],
    ]
    const { id } = await shopOrder(host, 'tables', { items: [{ meta }] })
    const { body } = await host.call('GET', `/orders/${id}`)
    t.equal(body.data.items[0].order_item.quantity, quantity, stored)
  }
})

t.test('GET /orders/{id}: a blank number of a plugin is no number, and entities are decoded', async (t) => {
  const host = await shopOn(t, 'SQLite', 'tables')
  const numberOf = async (number: string) => {
    const { id } = await shopOrder(host, 'tables', { number, items: [{ meta: [['_svc_data', design]] }] })
    const { body } = await host.call('GET', `/orders/${id}`)
    return { id, number: body.data.order_number }
  }
  const blank = await numberOf('  ')
  t.equal(blank.number, String(blank.id))
  t.equal((await numberOf('A&amp;O &#8211; 7')).number, 'A&O – 7')
})
