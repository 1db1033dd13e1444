// GET /system: version, contents and enabled groups of the installation.
import t from 'tap'
import { version } from '../../src/core/version.ts'
import { passSecond } from '../support/fixtures/clock.ts'
import { newCategory, newProduct, newView, storeOption } from '../support/fixtures/rows.ts'
import { createShop } from '../support/fixtures/shop.ts'
import { build } from '../support/hosts/build.ts'
import { rule } from '../support/hosts/fresh-host.ts'

rule('the response has version, namespace and URLs', async (t, { call }) => {
  const { status, body } = await call('GET', '/system')
  t.equal(status, 200)
  t.match(body.data, {
    plugin: 'svc-api',
    version,
    api_namespace: 'svc/v1',
    site_url: 'https://shop.example',
    rest_base: 'https://shop.example/wp-json',
  })
  t.strictSame(Object.keys(body.data), [
    'plugin',
    'version',
    'api_namespace',
    'site_url',
    'rest_base',
    'integrations',
    'counts',
    'auto_print',
    'controllers',
  ])
})

rule('the response counts rows; templates do not count as products', async (t, host) => {
  const empty = (await host.call('GET', '/system')).body.data.counts
  t.ok(Object.values(empty).every((count) => count === 0))
  for (const type of ['catalog', 'template', 'catalog']) await newView(host, await newProduct(host, { type }))
  await newCategory(host, 'Cups')
  await host.db
    .insertInto(host.t.designs)
    .values([
      { title: 'a', designs: '[{},{}]', parent_id: 0, category_order: 0 },
      { title: 'b', designs: 'a:1:{i:0;a:0:{}}', parent_id: 0, category_order: 0 },
      { title: 'c', designs: '{broken', parent_id: 0, category_order: 0 },
    ])
    .execute()
  await host.db.insertInto(host.t.pricing_rules).values({ name: 'x', data: '{}' }).execute()
  await storeOption(host, 'svc_text_templates', '[{},{},{}]')
  await storeOption(host, 'svc_hex_names', '000000:Black,#fff:White,ff0000:Red,FFF:Also white')
  passSecond()
  t.match((await host.call('GET', '/system')).body.data.counts, {
    products: 2,
    templates: 1,
    views: 3,
    categories: 1,
    design_categories: 3,
    designs: 3,
    pricing_rules: 1,
    print_profiles: 0,
    user_interfaces: 0,
    shortcode_orders: 0,
    print_jobs: 0,
    text_templates: 3,
    colors: 3,
    fonts: 0,
  })
})

rule('integrations follow the CMS’s lists of active plugins and the provider’s key', async (t, host) => {
  const found = async () => (await host.call('GET', '/system')).body.data.integrations
  t.strictSame(await found(), {
    woocommerce: false,
    gravity_forms: false,
    elementor: false,
    printful: false,
    s3: false,
    dropbox: false,
  })
  await storeOption(
    host,
    'active_plugins',
    'a:2:{i:0;s:27:"woocommerce/woocommerce.php";i:3;s:9:"hello.php";}',
  )
  await storeOption(
    host,
    'active_sitewide_plugins',
    'a:1:{s:29:"gravityforms/gravityforms.php";i:1700000000;}',
  )
  await storeOption(host, 'svc_printful_api_key', 'secret-key')
  t.match(await found(), { woocommerce: true, gravity_forms: true, elementor: false, printful: true })
  t.notOk((await host.call('GET', '/system')).text.includes('secret-key'))
  for (const broken of ['a:1:{broken', 'O:8:"stdClass":0:{}', '', 'x']) {
    await storeOption(host, 'active_plugins', broken)
    t.equal((await found()).woocommerce, false, broken)
  }
})

rule('GET /system: a plugin without an entry in the lists is recognized by its tables', async (t, host) => {
  const found = async () => (await host.call('GET', '/system')).body.data.integrations
  await createShop(host, ['posts', 'woocommerce_order_items'])
  t.match(await found(), { woocommerce: true, gravity_forms: false })
  await createShop(host, ['gf_entry'])
  t.match(await found(), { woocommerce: true, gravity_forms: true, elementor: false })
})

rule('a storage is active when it is chosen and its settings are complete', async (t, host) => {
  const active = async () => {
    const { s3, dropbox } = (await host.call('GET', '/system')).body.data.integrations
    return { s3, dropbox }
  }
  await storeOption(host, 'svc_ae_cloud', 's3')
  t.same(await active(), { s3: false, dropbox: false })
  await storeOption(host, 'svc_ae_s3_bucket', 'shop')
  t.same(await active(), { s3: true, dropbox: false })
  for (const name of ['client_id', 'secret', 'refresh_token']) {
    await storeOption(host, `svc_ae_dropbox_${name}`, 'x')
  }
  await storeOption(host, 'svc_ae_cloud', 'dropbox')
  t.same(await active(), { s3: false, dropbox: true })
  await storeOption(host, 'svc_ae_cloud', 'none')
  t.same(await active(), { s3: false, dropbox: false })
})

t.test('fonts are counted by family in the uploads folder', async (t) => {
  const files = ['A.ttf', 'A__bold.ttf', 'A__italic.ttf', 'A__bolditalic.ttf', 'B.TTF', 'readme.txt', 'C.otf']
  const dir = t.testdir({ svc: { fonts: Object.fromEntries(files.map((name) => [name, 'x'])) } })
  const { call } = await build(t, { uploads: { dir: `${dir}`, url: 'https://shop.example/uploads' } })
  t.equal((await call('GET', '/system')).body.data.counts.fonts, 2)
})

t.test('no uploads folder means no fonts, not an error', async (t) => {
  const { call } = await build(t, {
    uploads: { dir: '/nowhere/at/all', url: 'https://shop.example/uploads' },
  })
  t.equal((await call('GET', '/system')).body.data.counts.fonts, 0)
})

t.test('the URLs follow the options: another REST root, a site in a folder', async (t) => {
  for (const [siteUrl, baseUrl, restBase] of [
    ['https://shop.example/', '/api', 'https://shop.example/api'],
    ['https://shop.example/blog', '/blog/wp-json', 'https://shop.example/blog/wp-json'],
    ['https://shop.example', '', 'https://shop.example'],
  ] as const) {
    const host = await build(t, { siteUrl, baseUrl })
    const { body } = await host.call('GET', '/system')
    t.equal(body.data.rest_base, restBase, restBase)
  }
})
