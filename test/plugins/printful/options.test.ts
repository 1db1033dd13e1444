// Options that a product needs at the print provider: from the meta of variation and product, and those that were set there.
import t, { type Test } from 'tap'
import { phpFromJson } from '../../../src/db/php-json.ts'
import { writePhp } from '../../../src/db/php-value.ts'
import { row, type Shop } from '../../support/fixtures/shop.ts'
import { type Engine, onEachEngine } from '../../support/hosts/build.ts'
import { printHost } from '../../support/hosts/print.ts'
import { type PrintedOrder, printfulShop, shipping } from '../../support/hosts/printful-shop.ts'
import { printful } from '../../support/peers/printful.ts'

async function make(t: Test, engine: Engine, shopKind: Shop = 'posts') {
  const remote = await printful(t)
  remote.required.set(4012, ['stitch_color', 'thread_colors'])
  const host = await printHost(t, { engine, printful: { url: remote.url } })
  const shop = await printfulShop(host, { shop: shopKind })
  await shop.setToken()
  const setOptions = (post_id: number, options: unknown) =>
    row(host, 'postmeta', {
      post_id,
      meta_key: 'svc_printful_options',
      meta_value: typeof options === 'string' ? options : writePhp(phpFromJson(options)),
    })
  const print = async ({ id, items }: PrintedOrder, at = 0) => {
    const details = { order_id: id, item_id: items[at], order_type: 'wc', variation_printful: shop.variation }
    const { guid } = await host.newJob(details)
    t.equal((await host.notify(guid)).status, 200)
    return host.job(guid)
  }
  const order = await shop.order([{}, {}], { shipping, billing: {} })
  const items = () => remote.orders.get(String(order.id))?.items ?? []
  return { remote, shop, order, print, setOptions, items }
}

/** The product that the items of the shop name. */
const product = 12

t.test('Printful: options of the product, and of the variation before them, are sent with each item', (t) =>
  onEachEngine(t, async (t, engine) => {
    for (const shopKind of ['posts', 'tables'] as const) {
      const { shop, order, print, setOptions, items } = await make(t, engine, shopKind)
      await setOptions(product, { stitch_color: 'black', lifelike: true })
      const ofVariation = [
        { id: 'stitch_color', value: 'white' },
        { id: 'thread_colors', value: ['#FFFFFF', '#A67843'] },
      ]
      await setOptions(shop.variation, JSON.stringify(ofVariation))
      t.match(await print(order), { status: 'completed' })
      t.same(items()[0]?.options, [{ id: 'lifelike', value: true }, ...ofVariation])
    }
  }),
)

t.test('Printful: a PUT keeps options that were set there, of the item itself and of the others', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { order, print, setOptions, items } = await make(t, engine)
    await setOptions(product, { stitch_color: 'black', thread_colors: ['#000000'] })
    await print(order)
    await print(order, 1)
    const [first, second] = items()
    if (!first || !second) throw new Error('The draft lacks an item.')
    first.options = [
      { id: 'stitch_color', value: 'white' },
      { id: 'lifelike', value: true },
    ]
    Object.assign(first.files[0] ?? {}, { options: [{ id: 'template_type', value: 'native' }] })
    second.options = [
      { id: 'stitch_color', value: 'white' },
      { id: 'thread_colors', value: ['#111111'] },
    ]
    const kept = structuredClone(second.options)
    t.match(await print(order), { status: 'completed' })
    t.same(items()[0]?.options, [
      { id: 'lifelike', value: true },
      { id: 'stitch_color', value: 'black' },
      { id: 'thread_colors', value: ['#000000'] },
    ])
    t.match(items()[0]?.files[0], { options: [{ id: 'template_type', value: 'native' }] })
    t.same(items()[1]?.options, kept)
  }),
)

t.test('Printful: a job fails with the reason when options are missing or cannot be read', async (t) => {
  const { order, print, setOptions, shop } = await make(t, 'SQLite')
  t.match(await print(order), {
    status: 'failed',
    error: { message: /Item option is required: stitch_color/ },
  })
  await setOptions(shop.variation, '{"stitch color":"white"}')
  t.match(await print(order), {
    status: 'failed',
    error: { message: 'The options of the variation (svc_printful_options) cannot be read.' },
  })
})
