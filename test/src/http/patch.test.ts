// What was read can be sent back: read-only properties are accepted with their current value.
import t from 'tap'
import { newCategory, newProduct, newView } from '../../support/fixtures/rows.ts'
import { build } from '../../support/hosts/build.ts'
import { rule, ruleOnce } from '../../support/hosts/fresh-host.ts'

rule('each resource can be sent back as it was read, with its views and categories', async (t, host) => {
  const category = await newCategory(host, 'Cups')
  const product = await newProduct(host, { categories: [category], options: { a: [1, { b: 'ä\u{1f600}' }] } })
  const view = await newView(host, product, {
    elements: [{ x: -0, y: 1.5e300, z: null }],
    options: { k: [] },
  })
  for (const path of [
    `/products/${product}`,
    `/products/${product}?include_views=1`,
    `/views/${view}`,
    `/categories/${category}`,
  ]) {
    const { body, headers } = await host.call('GET', path)
    const sent = await host.call('PATCH', path, body.data, { 'if-match': headers.etag })
    t.equal(sent.status, 200, path)
    t.strictSame(sent.body.data, body.data)
    t.equal(sent.headers.etag, headers.etag, 'nothing has changed')
  }
})

rule(
  'views with numbers of many digits can be sent back, exactly or as a browser reads them',
  async (t, host) => {
    const product = await newProduct(host)
    const elements = '[{"n":12345678901234567890,"f":0.12345678901234567890,"z":-0}]'
    const json = { 'content-type': 'application/json' }
    await host.call('POST', `/products/${product}/views`, `{"title":"x","elements":${elements}}`, json)
    const path = `/products/${product}?include_views=true`
    const { text, body } = await host.call('GET', path)
    const exact = text.replace(/^\{"success":true,"data":/, '').replace(/\}$/, '')
    t.ok(exact.includes(elements.replace('-0', '0')))
    t.equal((await host.call('PATCH', path, exact, json)).status, 200, 'exactly')
    t.equal((await host.call('PATCH', path, body.data)).status, 200, 'rounded')
  },
)

ruleOnce('a read-only property with another value is refused, and nothing is written', async (t, host) => {
  const product = await newProduct(host)
  const view = await newView(host, product)
  const category = await newCategory(host, 'Cups')
  for (const [path, name, wrong] of [
    [`/products/${product}`, 'id', 2],
    [`/products/${product}`, 'id', String(product)],
    [`/products/${product}`, 'user_id', 7],
    [`/products/${product}`, 'views', []],
    [`/products/${product}`, 'views', null],
    [`/views/${view}`, 'order', 1],
    [`/views/${view}`, 'id', null],
    [`/categories/${category}`, 'id', 2],
  ] as const) {
    const { status, body } = await host.call('PATCH', path, { title: 'Changed', [name]: wrong })
    t.strictSame([status, Object.keys(body.data.params)], [400, [name]], `${path} ${name} ${wrong}`)
    t.not((await host.call('GET', path)).body.data.title, 'Changed')
  }
})

ruleOnce('read-only properties alone are no change', async (t, host) => {
  const product = await newProduct(host)
  const view = await newView(host, product)
  const category = await newCategory(host, 'Cups')
  for (const [path, id, properties] of [
    [`/products/${product}`, product, 'title, type, thumbnail, options, categories, sorted_views'],
    [`/views/${view}`, view, 'title, thumbnail, elements, options, product_id'],
    [`/categories/${category}`, category, 'title, products'],
  ] as const) {
    for (const body of [{}, { id }]) {
      const response = await host.call('PATCH', path, body)
      t.strictSame([response.status, response.body.code], [400, 'rest_missing_callback_param'], path)
      t.strictSame(response.body.data.params, properties.split(', '))
    }
  }
})

rule(
  'a value that is sent back is compared with the row when it is written, not when it was read',
  async (t, host) => {
    const product = await newProduct(host)
    const [front, back] = [await newView(host, product), await newView(host, product, { title: 'Back' })]
    const { body: read } = await host.call('GET', `/views/${back}`)
    await host.call('PATCH', `/products/${product}`, { sorted_views: [{ id: back }, { id: front }] })
    const { status, body } = await host.call('PATCH', `/views/${back}`, { ...read.data, title: 'Mine' })
    t.strictSame(
      [status, body.data.params],
      [400, { order: 'cannot be changed; omit it or send its current value' }],
    )
  },
)

ruleOnce(
  'a value that others stored against the rules can be sent back, and nothing else of its kind',
  async (t, host) => {
    const { db, t: names } = host
    const product = await newProduct(host)
    const view = await newView(host, product)
    await db.updateTable(names.products).set({ title: '', options: '[]' }).execute()
    await db.updateTable(names.views).set({ title: null, elements: '{"a":1}', options: '{oops' }).execute()
    for (const [path, wrong] of [
      [`/products/${product}`, { title: ' ', options: [1] }],
      [`/views/${view}`, { title: ' ', elements: {}, options: [1] }],
    ] as const) {
      const { data } = (await host.call('PATCH', path, { thumbnail: 'a.png' })).body
      t.equal((await host.call('PATCH', path, { ...data, thumbnail: 'b.png' })).status, 200, path)
      for (const [name, value] of Object.entries(wrong)) {
        const { status, body } = await host.call('PATCH', path, {
          ...data,
          thumbnail: 'c.png',
          [name]: value,
        })
        t.strictSame([status, body.data.params?.[name] !== undefined], [400, true], `${path} ${name}`)
      }
      t.equal((await host.call('PATCH', path, { title: '' })).status, 200, 'alone, too')
    }
    const row = await db.selectFrom(names.views).selectAll().executeTakeFirst()
    t.match(row, { title: null, elements: '{"a":1}', options: '{oops', thumbnail: 'b.png' })
    t.equal((await host.call('PATCH', `/products/${product}`, { options: [] })).status, 200)
    const stored = await db.selectFrom(names.products).select('options').executeTakeFirst()
    t.match(stored, { options: '[]' }, 'not the object that a designer would store')
  },
)

t.test('a create takes no id, for it has none yet', async (t) => {
  const { call } = await build(t)
  for (const path of ['/products', '/categories']) {
    t.match(await call('POST', path, { title: 'x', id: 1 }), {
      status: 400,
      body: { data: { params: { id: String } } },
    })
  }
})

ruleOnce(
  'what an agent reads of any resource can be sent back, and then nothing has changed',
  async (t, host) => {
    const odd = { 'a.b': [null, { '': [] }], ü: '\u{1f600}', n: 1e21 }
    const views = [{ title: 'Front', elements: [odd] }]
    const resources: [path: string, made: object][] = [
      [
        '/design-categories',
        { title: ' A ', options: odd, designs: [{ title: 'x', elements: [odd], own: odd }] },
      ],
      ['/pricing-rules', { name: 'R', data: { ...odd, type: 'any' } }],
      ['/print-profiles', { name: 'P', data: odd, is_master: true }],
      ['/user-interfaces', { name: 'U', data: odd, is_default: true }],
      ['/shortcode-orders', { views, customer_name: '<Ada>', customer_mail: 'a@b.example' }],
      ['/text-templates', { text: ' <b>\n ', font_family: 'Arial' }],
    ]
    for (const [path, body] of resources) {
      const made = await host.call('POST', path, body)
      t.equal(made.status, 201, path)
      const one = String(made.headers.location).split('/svc/v1')[1]
      const url = `${one}${path.includes('pr') || path.includes('user') ? '?include_data=true' : ''}`
      const read = await host.call('GET', url)
      const sent = await host.call('PATCH', String(one), read.body.data)
      t.equal(sent.status, 200, `${path}: ${sent.body.message}`)
      const again = await host.call('GET', url)
      t.strictSame([again.body, again.headers.etag], [read.body, read.headers.etag], path)
    }
    const lists: [path: string, sendBack: (data: unknown) => object][] = [
      ['/text-templates', (templates) => ({ templates })],
      ['/color-library', (library) => Object(library)],
      ['/color-library', (library) => ({ library })],
    ]
    for (const [path, sendBack] of lists) {
      const read = await host.call('GET', path)
      t.equal((await host.call('PUT', path, sendBack(read.body.data))).status, 200, path)
      t.strictSame((await host.call('GET', path)).body.data, read.body.data, path)
    }
  },
)
