// `Prefer: return=minimal`: a response with only the key of the resource, without superfluous reads.
import t, { type Test } from 'tap'
import { font } from '../support/fixtures/make-font.ts'
import { png } from '../support/fixtures/make-png.ts'
import { createShop, shopOrder } from '../support/fixtures/shop.ts'
import { build, onEachEngine, type TestHost, type TestResponse } from '../support/hosts/build.ts'
import { upload } from '../support/hosts/form.ts'
import { rule, ruleOnce } from '../support/hosts/fresh-host.ts'
import { watched } from '../support/hosts/statements.ts'

const prefer = { prefer: 'return=minimal' }

/** Each write of each group in an order in which all succeed, and the key that its resource then has. */
const writes: [method: string, path: string, body: object | undefined, key: object][] = [
  ['POST', '/products', { title: 'Mug', options: { a: 1 } }, { id: 1 }],
  ['POST', '/products', { duplicate_product_id: 1 }, { id: 2 }],
  ['PATCH', '/products/1?include_views=true', { title: 'Cup' }, { id: 1 }],
  ['PATCH', '/products/1', { options: { b: 2 } }, { id: 1 }],
  ['POST', '/products/1/views', { title: 'Front' }, { id: 1 }],
  ['POST', '/views/1/duplicate', {}, { id: 2 }],
  ['PATCH', '/views/1', { title: 'Back' }, { id: 1 }],
  ['PATCH', '/views/1', { title: 'Back' }, { id: 1 }],
  ['PATCH', '/views/1', { title: 'Side', elements: [1] }, { id: 1 }],
  ['PATCH', '/views/1', { options: { a: 1 } }, { id: 1 }],
  ['PATCH', '/views/1', { product_id: 2 }, { id: 1 }],
  ['POST', '/categories', { title: 'Cups' }, { id: 1 }],
  ['PATCH', '/categories/1', { products: [1, 2] }, { id: 1 }],
  ['POST', '/categories/1/clear', undefined, { id: 1 }],
  ['POST', '/design-categories', { title: 'Animals' }, { id: 1 }],
  ['PATCH', '/design-categories/1', { title: 'Plants' }, { id: 1 }],
  ['POST', '/pricing-rules', { name: 'Rule', data: {} }, { id: 1 }],
  ['PATCH', '/pricing-rules/1', { name: 'Other' }, { id: 1 }],
  ['POST', '/print-profiles', { name: 'Profile' }, { id: 1 }],
  ['PATCH', '/print-profiles/1', { name: 'Other' }, { id: 1 }],
  ['POST', '/print-profiles/1/master', { is_master: true }, { id: 1 }],
  ['POST', '/print-profiles/master/duplicate', { name: 'Copy' }, { id: 2 }],
  ['POST', '/user-interfaces', { name: 'Layout' }, { id: 2 }],
  ['PATCH', '/user-interfaces/2', { is_default: true }, { id: 2 }],
  ['PATCH', '/user-interfaces/default', { name: 'Other' }, { id: 2 }],
  ['POST', '/shortcode-orders', { views: [{}] }, { id: 1 }],
  ['PATCH', '/shortcode-orders/1', { customer_name: 'Ada' }, { id: 1 }],
  ['PATCH', '/orders/1', { type: 'shortcode', order: { product: [] } }, { order_id: 1 }],
  ['POST', '/text-templates', { text: 'a' }, { index: 0 }],
  ['PATCH', '/text-templates/0', { text: 'b' }, { index: 0 }],
  ['PUT', '/text-templates', { templates: [{ text: 'c' }] }, {}],
  ['PUT', '/color-library', { colors: [] }, {}],
  ['PATCH', '/settings', { svc_max_zoom: 5 }, {}],
]

function isMinimal(t: Test, { status, body, headers }: TestResponse, expected: object, name: string): void {
  t.ok(status === 200 || status === 201, `${name}: ${status}`)
  t.strictSame(body, { success: true, data: expected }, name)
  t.equal(headers['preference-applied'], 'return=minimal', name)
  t.equal(headers['content-type'], 'application/json; charset=utf-8')
}

ruleOnce(
  'every create and change responds with the key of its resource, and a create with its URL',
  async (t, host) => {
    for (const [method, path, body, key] of writes) {
      const response = await host.call(method, path, body, prefer)
      isMinimal(t, response, key, `${method} ${path}`)
      if (response.status === 201) {
        const own = path.startsWith('/products/1/') ? '/views' : path.split('/').slice(0, 2).join('/')
        t.match(response.headers.location, new RegExp(`/svc/v1${own}/${Object.values(key)}$`))
      }
    }
    t.match((await host.call('GET', '/products/1')).body.data, { title: 'Cup', options: { a: 1, b: 2 } })
    t.match((await host.call('GET', '/views/1')).body.data, { title: 'Side', product_id: 2, elements: [1] })
  },
)

ruleOnce('every write of the API is among the cases', async (t, host) => {
  const tried = new Set(writes.map(([method, path]) => `${method} ${path.split('/')[1]}`))
  for (const { method, url } of host.routes) {
    if (!['POST', 'PUT', 'PATCH'].includes(String(method)) || !url.includes('/svc/v1/')) continue
    const group = url.split('/svc/v1/')[1]?.split('/')[0]
    // Uploads and shop orders have tests of their own below, and so has the retry of print jobs.
    if (!['assets', 'fonts', 'print-jobs'].includes(String(group)))
      t.ok(tried.has(`${method} ${group}`) || group === 'orders', `${method} ${url}`)
  }
})

t.test('uploads respond with the key of the asset or the name of the font family', async (t) => {
  const app = await build(t, { uploads: { dir: t.testdir({}), url: 'https://shop.example/uploads' } })
  const asset = await upload(app, '/assets', 'a.png', png(), { headers: prefer })
  const { data } = (await app.call('GET', '/assets')).body
  isMinimal(t, asset, { key: data[0].key }, 'asset')
  t.equal(asset.headers.location, data[0].url)
  isMinimal(
    t,
    await upload(app, '/fonts', 'My_Font.ttf', font(), { headers: prefer }),
    { name: 'My Font' },
    'font',
  )
})

rule('a change of a shop order is not read back', async (t, host) => {
  await createShop(host)
  const { id, items } = await shopOrder(host, 'posts', {
    items: [{ meta: [['_svc_data', '{"product":[]}']] }],
  })
  const order = { product: [{ title: 'New' }] }
  const response = await host.call('PATCH', `/orders/${id}`, { item_id: items[0], order }, prefer)
  isMinimal(t, response, { order_id: id }, 'order')
  t.match((await host.call('GET', `/orders/${id}`)).body.data.items, [order])
})

ruleOnce(
  'only return=minimal gives a minimal response, in every spelling of the header, and only to writes',
  async (t, host) => {
    const applied = async (
      header: string,
      method = 'POST',
      path = '/categories',
      body: object | undefined = { title: header },
    ) => (await host.call(method, path, body, { prefer: header })).headers['preference-applied']
    for (const header of [
      'return=minimal',
      'Return = "minimal"',
      'respond-async, wait=10, RETURN=Minimal; foo="bar"',
      'return=minimal, return=representation',
    ])
      t.equal(await applied(header), 'return=minimal', header)
    for (const header of [
      'return=representation',
      'minimal',
      'x-return=minimal',
      'return',
      '',
      'a;return=minimal',
    ])
      t.equal(
        await applied(`${header}`, 'POST', '/categories', { title: `none ${header}` }),
        undefined,
        header,
      )
    t.equal(await applied('return=minimal', 'GET', '/categories/1', undefined), undefined)
    t.equal((await host.call('GET', '/categories/1', undefined, prefer)).body.data.title, 'return=minimal')
    t.strictSame((await host.call('DELETE', '/categories/1', undefined, prefer)).body.data, {
      id: 1,
      deleted: true,
    })
  },
)

ruleOnce('errors, tags and idempotency keys are the same as without the header', async (t, host) => {
  t.match(await host.call('PATCH', '/products/9', { title: 'x' }, prefer), {
    status: 404,
    headers: { 'preference-applied': undefined },
    body: { code: 'svc_product_not_found' },
  })
  t.equal((await host.call('PATCH', '/views/9', { title: 'x' }, prefer)).status, 404)
  const keyed = { ...prefer, 'idempotency-key': 'k' }
  const made = await host.call('POST', '/products', { title: 'Mug' }, keyed)
  const again = await host.call('POST', '/products', { title: 'Mug' }, keyed)
  t.strictSame([again.body, again.headers['idempotency-replayed']], [made.body, 'true'])
  const stale = { ...prefer, 'if-match': '"no"' }
  t.equal((await host.call('PATCH', '/products/1', { title: 'x' }, stale)).status, 412)
  t.equal(
    (await host.call('PATCH', '/products/1', { title: 'x', id: 2 }, prefer)).status,
    400,
    'echoes are checked',
  )
  const { etag } = (await host.call('GET', '/products/1')).headers
  const changed = await host.call('PATCH', '/products/1', { title: 'x' }, { ...prefer, 'if-match': etag })
  isMinimal(t, changed, { id: 1 }, 'with If-Match')
  for (const [method, path, body] of [
    ['PUT', '/color-library', { colors: [] }],
    ['PUT', '/text-templates', { templates: [{ text: 'a' }] }],
    ['PATCH', '/text-templates/0', { text: 'b' }],
  ] as const) {
    const tag = (await host.call(method, path, body, prefer)).headers.etag
    t.equal((await host.call('GET', path)).headers.etag, tag, `the tag of ${path} costs no read`)
  }
})

/** The most statements of a minimal change of plain columns; those on option rows (guards) are not counted. */
const maxStatements: Record<string, number> = {
  '/products/1': 6,
  '/views/1': 4,
  '/categories/1': 6,
  '/design-categories/1': 5,
  '/pricing-rules/1': 4,
  '/print-profiles/1': 5,
  '/user-interfaces/2': 7,
  '/shortcode-orders/1': 5,
}

t.test('a minimal write is not read back', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await watched(t, { engine })
    for (const [method, path, body] of writes) {
      const sent = await host.statementsOf(() => host.call(method, path, body, prefer))
      const last = sent.findLastIndex(({ sql }) => /^(insert|update|delete)/.test(sql))
      const reads = sent
        .slice(last + 1)
        .filter(({ sql }) => /^select .*(title|name|views)\W.* from/.test(sql))
      // Rows of legacy installations repeat a layout, and so have to read it.
      if (!path.startsWith('/user-interfaces')) t.strictSame(reads, [], `${method} ${path}`)
    }
  }),
)

t.test('a minimal change sends fewer statements than one that responds with the whole resource', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await watched(t, { engine })
    for (const [method, path, body] of writes) await host.call(method, path, body)
    const costOf = async (...request: Parameters<TestHost['call']>) =>
      (await host.statementsOf(() => host.call(...request))).length
    for (const [path, most] of Object.entries(maxStatements)) {
      const named = /pricing|profiles|interfaces/.test(path) ? 'name' : 'title'
      const field = path.includes('orders') ? 'customer_name' : named
      const minimal = await costOf('PATCH', path, { [field]: 'One' }, prefer)
      const whole = await costOf('PATCH', path, { [field]: 'Two' })
      t.ok(minimal <= most && minimal < whole, `${path}: ${minimal}, else ${whole}`)
    }
  }),
)
