// GET /assets/{key}/usages: where an asset is used, and never "unused" unless that is certain.
import t, { type Test } from 'tap'
import { databaseOn } from '../../../src/db/connect.ts'
import { assetUsages } from '../../../src/orders/asset-usages.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { storeOption } from '../../support/fixtures/rows.ts'
import { createShop, shopOrder } from '../../support/fixtures/shop.ts'
import { type BuildOptions, build, onEachEngine } from '../../support/hosts/build.ts'
import { upload } from '../../support/hosts/form.ts'

async function hostWithAsset(t: Test, options: BuildOptions) {
  const dir = t.testdir({})
  const host = await build(t, { uploads: { dir, url: 'https://shop.example/up' }, ...options })
  const file = png({ width: 4, height: 4 })
  const { key, url } = (await upload(host, '/assets', 'logo.png', file)).body.data as Record<string, string>
  const other = (await upload(host, '/assets', 'other.png', file)).body.data.url as string
  const usages = async (path = encodeURIComponent(String(key))) => host.call('GET', `/assets/${path}/usages`)
  const create = async (path: string, body: object) =>
    (await host.call('POST', path, body)).body.data.id as number
  return { host, key: String(key), url: String(url), other, usages, create }
}

const unused = {
  settings: [],
  print_profiles: [],
  layouts: [],
  design_categories: [],
  products: [],
  orders: [],
  complete: true,
}

t.test(
  'GET /assets/{key}/usages: products, designs, profiles, layouts, settings and orders that use it',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const { host, key, url, other, usages, create } = await hostWithAsset(t, { engine })
      await create('/products', { title: 'Other', options: { image: other }, thumbnail: other })
      t.strictSame((await usages()).body.data, unused)
      const view = await create('/products', { title: 'By a view' })
      await create(`/products/${view}/views`, { title: 'Front', elements: [{ type: 'image', source: url }] })
      const thumbnail = await create('/products', { title: 'By its thumbnail', thumbnail: url })
      const option = await create('/products', {
        title: 'By an option',
        options: { deep: [{ css: `url(${url})` }] },
      })
      const designs = await create('/design-categories', {
        title: 'Cakes',
        designs: [{ title: 'x', image: url }],
      })
      const profile = await create('/print-profiles', { name: 'Offset', data: { logo: url } })
      const layout = await create('/user-interfaces', { name: 'Wide', data: { logo: url } })
      await storeOption(host, 'svc_watermark_image', url)
      const elements = [{ type: 'image', source: url }]
      const views = JSON.stringify({ product: [{ title: 'F', elements }] })
      const customer = { customer_name: 'Ann', customer_mail: 'ann@shop.example' }
      const { insertId } = await host.db
        .insertInto(host.t.orders)
        .values({ views, ...customer })
        .executeTakeFirstOrThrow()
      const order = Number(insertId)
      const { status, body } = await usages()
      t.equal(status, 200)
      t.strictSame(body.data, {
        settings: ['svc_watermark_image'],
        print_profiles: [{ id: profile, name: 'Offset' }],
        layouts: [{ id: layout, name: 'Wide' }],
        design_categories: [{ id: designs, title: 'Cakes' }],
        products: [
          { id: view, title: 'By a view' },
          { id: thumbnail, title: 'By its thumbnail' },
          { id: option, title: 'By an option' },
        ],
        orders: [{ type: 'shortcode', id: order }],
        complete: true,
      })
      t.strictSame((await usages(key)).body, body, 'slashes of the key may be unescaped')
    }),
)

t.test('GET /assets/{key}/usages: orders of the shop, whose JSON has escaped slashes', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, url, usages } = await hostWithAsset(t, { engine })
    await createShop(host)
    const json = JSON.stringify({ product: [{ elements: [{ source: url }] }] })
    const nested = JSON.stringify({ svc_product: json.replaceAll('/', '\\/') })
    const phpJson = json.replaceAll('/', '\\/')
    const ids: number[] = []
    for (const design of [json, phpJson, nested, phpJson.replaceAll('\\', '\\\\').replaceAll('"', '\\"')])
      ids.push((await shopOrder(host, 'posts', { items: [{ meta: [['_svc_data', design]] }] })).id)
    await shopOrder(host, 'posts', {
      items: [
        {
          meta: [
            ['_svc_data', '{"product":[]}'],
            ['note', json],
          ],
        },
      ],
    })
    const { orders, complete } = (await usages()).body.data
    t.strictSame(
      orders,
      ids.map((id) => ({ type: 'wc', id })),
    )
    t.equal(complete, true)
  }),
)

t.test('GET /assets/{key}/usages: letters beyond ASCII are found in URLs and in JSON of PHP', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, create } = await hostWithAsset(t, { engine })
    const search = assetUsages(await databaseOn(host.connection))
    const asset = { key: '2026/01/Müller größer.png', url: 'https://shop.example/up/svc/uploads/2026/01/x' }
    const path = `https://shop.example/up/svc/uploads/${asset.key}`
    const raw = await create('/products', { title: 'raw', options: { image: path } })
    const encoded = await create('/products', { title: 'encoded', options: { image: encodeURI(path) } })
    const php = await create('/products', { title: 'php' })
    const ofPhp =
      '{"image":"https:\\/\\/shop.example\\/up\\/svc\\/uploads\\/2026\\/01\\/M\\u00fcller gr\\u00f6\\u00dfer.png"}'
    await host.db.updateTable(host.t.products).set({ options: ofPhp }).where('ID', '=', php).execute()
    await create('/products', { title: 'other', options: { image: path.replace('01/M', '02/M') } })
    t.strictSame(
      (await search(asset)).products.map(({ id }) => id),
      [raw, encoded, php],
    )
  }),
)

t.test('GET /assets/{key}/usages: 404 without an asset, 403 with an invalid token', async (t) => {
  const { host, usages } = await hostWithAsset(t, {})
  const missing = await usages(encodeURIComponent('2026/01/none.png'))
  t.match(missing, { status: 404, body: { code: 'svc_asset_not_found' } })
  const path = `/assets/${encodeURIComponent('2026/01/none.png')}/usages`
  t.equal((await host.call('GET', path, undefined, { authorization: 'Bearer wrong' })).status, 403)
})

t.test('assetUsages: complete is false when the search was cut off, and when a list is full', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, key, url, create } = await hostWithAsset(t, { engine })
    await create('/products', { title: 'A', options: { image: url } })
    const database = await databaseOn(host.connection)
    t.match(await assetUsages(database, 0)({ key, url }), { products: [], complete: false })
    t.match(await assetUsages(database, 1)({ key, url }), { products: [{ title: 'A' }], complete: true })
    const titles = Array.from({ length: 120 }, (_, i) => ({
      title: `P${i}`,
      options: JSON.stringify({ url }),
    }))
    await host.db.insertInto(host.t.products).values(titles).execute()
    const full = await assetUsages(database)({ key, url })
    t.equal(full.products.length, 100)
    t.equal(full.complete, false)
  }),
)
