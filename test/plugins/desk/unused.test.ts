// Unused files of the library: listed only if nothing contains them, and searched for once more before they are deleted.
import { existsSync, utimesSync } from 'node:fs'
import t, { type Test } from 'tap'
import { databaseOn } from '../../../src/db/connect.ts'
import { unusedAssets } from '../../../src/orders/unused-assets.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { storeOption } from '../../support/fixtures/rows.ts'
import { type Engine, onEachDialect } from '../../support/hosts/build.ts'
import { deskShop, shortcodeOrder } from '../../support/hosts/desk.ts'
import { upload } from '../../support/hosts/form.ts'
import { photoUrl, pictureElement, viewWith } from '../../support/render/render-shop.ts'

const design = { product: [viewWith(pictureElement(photoUrl))] }
const old = Date.now() / 1000 - 40 * 86_400

async function shopWithFiles(t: Test, engine: Engine, names: readonly string[], options: object = {}) {
  const shop = await deskShop(t, engine, design, options)
  const age = (key: string) => utimesSync(`${shop.dir}/svc/uploads/${key}`, old, old)
  age('2026/11/photo.jpg')
  const urls: Record<string, string> = {}
  const keys: Record<string, string> = {}
  for (const name of names) {
    const { key, url } = (await upload(shop.host, '/assets', `${name}.png`, png())).body.data
    age(key)
    urls[name] = url
    keys[name] = key
  }
  await shop.client.get('library')
  const exists = (name: string) => existsSync(`${shop.dir}/svc/uploads/${keys[name]}`)
  return { ...shop, urls, keys, exists }
}

t.test('GET unused: files that no product, design, layout, profile, setting or order contains', (t) =>
  onEachDialect(t, async (t, engine) => {
    const used = ['product', 'view', 'category', 'layout', 'profile', 'setting', 'order']
    const { client, host, urls } = await shopWithFiles(t, engine, [...used, 'free'])
    await upload(host, '/assets', 'young.png', png())
    const { id } = (await host.call('POST', '/products', { title: 'A', thumbnail: urls.product })).body.data
    const elements = [{ title: 'x', type: 'image', source: urls.view }]
    await host.call('POST', `/products/${id}/views`, { title: 'Front', elements })
    await host.call('POST', '/design-categories', {
      title: 'C',
      designs: [{ title: 'x', image: urls.category }],
    })
    await host.call('POST', '/user-interfaces', { name: 'L', data: { logo: urls.layout } })
    await host.call('POST', '/print-profiles', { name: 'P', data: { logo: urls.profile } })
    await storeOption(host, 'svc_watermark_image', String(urls.setting))
    const ordered = { product: [{ title: 'F', elements: [{ type: 'image', source: urls.order }] }] }
    await shortcodeOrder(host, { customer_name: 'Ann', customer_mail: 'ann@shop.example', views: ordered })
    const page = await client.get('unused')
    t.equal(page.status, 200)
    t.same(page.texts('.gallery .name'), ['free.png'])
  }),
)

t.test('POST delete-unused: a file that is used by now stays, and so does a young one', async (t) => {
  const { client, host, urls, exists } = await shopWithFiles(t, 'SQLite', ['late', 'free', 'spare'])
  const young = (await upload(host, '/assets', 'young.png', png())).body.data.key as string
  const page = await client.get('unused')
  t.same(page.texts('.gallery .name').sort(), ['free.png', 'late.png', 'spare.png'])
  const boxes = [...page.document.querySelectorAll('[name=key]')].map(
    (box) => box.getAttribute('value') ?? '',
  )
  await host.call('POST', '/products', { title: 'Mug', thumbnail: urls.late })
  const sent = await client.submit(page, 'delete-unused', { confirmed: 'yes', key: [...boxes, young] })
  t.match([sent.status, sent.headers.location], [303, 'unused?page=1&deleted=2&left=2'])
  t.same(['late', 'free', 'spare'].map(exists), [true, false, false])
  const after = await client.get(sent.headers.location ?? '')
  t.match(after.texts('.notice').join(), '2 files were deleted. 2 files were not deleted')
  t.same((await host.call('GET', '/assets')).body.meta.total, 3)
})

t.test('POST delete-unused: chosen and confirmed by a user who may write assets, and bounded', async (t) => {
  let scopes: 'all' | 'assets:read'[] = 'all'
  const { client, keys, exists } = await shopWithFiles(t, 'SQLite', ['free'], {
    audit: true,
    desk: { authorize: () => ({ name: 'anna', scopes }) },
  })
  const page = await client.get('unused')
  const key = String(keys.free)
  t.equal((await client.submit(page, 'delete-unused', { key })).status, 400, 'not confirmed')
  t.equal(
    (await client.submit(page, 'delete-unused', { confirmed: 'yes', key: undefined })).status,
    400,
    'none',
  )
  const many = Array.from({ length: 25 }, (_, i) => `2026/01/${i}.png`)
  t.equal((await client.submit(page, 'delete-unused', { confirmed: 'yes', key: many })).status, 400)
  t.equal((await client.submit(page, 'delete-unused', { confirmed: 'yes', key, _form: 'x' })).status, 403)
  scopes = ['assets:read']
  const seen = await client.get('unused')
  t.same([seen.texts('.gallery .name'), seen.texts('form[method=post]')], [['free.png'], []])
  t.equal((await client.submit(page, 'delete-unused', { confirmed: 'yes', key })).status, 403)
  t.ok(exists('free'))
  scopes = 'all'
  t.equal((await client.submit(page, 'delete-unused', { confirmed: 'yes', key })).status, 303)
  t.notOk(exists('free'))
  t.match((await client.get('audit')).texts('main tr').join(), 'delete_unused_assets')
})

t.test('GET unused: without an old file it says where newer files are', async (t) => {
  const { client } = await deskShop(t, 'SQLite', design)
  t.match((await client.get('unused')).texts('[role=status]').join(), 'Newer files: open one in the library')
})

t.test('unusedAssets: undefined when the search was cut off, so that nothing is called unused', async (t) => {
  const { host, keys, urls } = await shopWithFiles(t, 'SQLite', ['free'])
  const database = await databaseOn(host.connection)
  const free = { key: String(keys.free), url: String(urls.free) }
  t.equal(await unusedAssets(database, 0)([free]), undefined)
  t.same(await unusedAssets(database)([free]), [free])
  t.same(await unusedAssets(database)([]), [])
})
