// What a JSON body may hold: nothing is coerced, nothing is dropped, nothing comes back other than it was sent.
import t from 'tap'
import { newCategory, newProduct, newView } from '../../support/fixtures/rows.ts'
import { build } from '../../support/hosts/build.ts'
import { rule, ruleOnce } from '../../support/hosts/fresh-host.ts'

const json = { 'content-type': 'application/json' }

t.test('a JSON content type with an empty body is a request without a body', async (t) => {
  const host = await build(t)
  const product = await newProduct(host)
  const view = await newView(host, product)
  const category = await newCategory(host, 'Cups', [product])
  t.equal((await host.call('GET', '/products', '', json)).status, 200)
  t.equal((await host.call('POST', `/categories/${category}/clear`, '', json)).status, 200)
  t.equal((await host.call('POST', `/views/${view}/duplicate`, '', json)).status, 201)
  t.equal((await host.call('POST', `/views/${view}/duplicate`)).status, 201)
  t.equal((await host.call('DELETE', `/views/${view}`, '', json)).status, 200)
  t.equal((await host.call('DELETE', `/products/${product}`, ' \r\n', json)).status, 200)
})

t.test('without a body, a required property is missing', async (t) => {
  const { call } = await build(t)
  for (const [body, headers] of [
    [undefined, {}],
    ['', json],
    ['{}', json],
  ] as const) {
    const response = await call('POST', '/categories', body, headers)
    t.strictSame([response.status, response.body.code], [400, 'rest_missing_callback_param'])
    t.strictSame(response.body.data, { status: 400, params: ['title'] })
    t.match(response.body.message, /title/)
  }
})

t.test('what is no JSON is refused as such', async (t) => {
  const { call } = await build(t)
  const texts = [
    '{',
    '{"title":"a",}',
    "{'title':'a'}",
    'title=a',
    '{"title":NaN}',
    '{"title":"a"} x',
    '\u0000',
    '[1',
    'nul',
  ]
  for (const text of [...texts, '{"title":"a\nb"}', '{"title":01}', '// x\n{}']) {
    const { status, body } = await call('POST', '/categories', text, json)
    t.strictSame([status, body.code], [400, 'rest_invalid_json'], text)
  }
  t.equal((await call('GET', '/categories')).body.meta.total, 0)
})

ruleOnce('a byte order mark before the body is no part of it', async (t, { call }) => {
  const { status, body } = await call('POST', '/categories', '\ufeff{"title":"Cups"}', json)
  t.equal(status, 201)
  t.equal(body.data.title, 'Cups')
  t.equal(
    (await call('POST', '/categories', '{"title":"\ufeffCaps"}', json)).body.data.title,
    'Caps',
    'whitespace like any other',
  )
})

t.test('bytes that are not UTF-8 are refused, never replaced by question marks', async (t) => {
  const { call } = await build(t)
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xe4, 0x6b, 0x6c]]) {
    const payload = Buffer.concat([Buffer.from('{"title":"'), Buffer.from(bytes), Buffer.from('"}')])
    const { status, body } = await call('POST', '/categories', payload, json)
    t.strictSame([status, body.code], [400, 'rest_invalid_json'])
    t.match(body.message, /UTF-8/)
  }
})

/** A body of this nesting: `{"title":"x","options":{"a":[[…]]}}`. */
const nested = (depth: number) =>
  `{"title":"x","options":{"a":${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}}`

ruleOnce('a body may be nested 512 deep, and no deeper', async (t, { call }) => {
  const deep = await call('POST', '/products', nested(512), json)
  t.equal(deep.status, 201)
  t.strictSame(deep.body.data.options, JSON.parse(nested(512)).options)
  for (const depth of [513, 100_000]) {
    const { status, body } = await call('POST', '/products', nested(depth), json)
    t.strictSame([status, body.code], [400, 'rest_invalid_json'], String(depth))
  }
  const numbers = nested(100_000).replace('"x"', '"1234567890123456789"')
  t.equal((await call('POST', '/products', numbers, json)).status, 400)
})

t.test('a property named __proto__ is refused at any depth, similar names are not', async (t) => {
  const { call } = await build(t)
  const bodies = [
    '{"__proto__":{}}',
    '{"title":"x","options":{"a":[{"__proto__":1}]}}',
    '{"title":"x","options":{"\\u005f_proto__":1}}',
  ]
  for (const body of [...bodies, '{"title":"x","options":{"n":12345678901234567890,"__proto__":{"a":1}}}']) {
    t.match(
      await call('POST', '/products', body, json),
      { status: 400, body: { code: 'rest_invalid_json' } },
      body,
    )
  }
  const options = '{"constructor":{"prototype":{"x":1}},"toString":"a","hasOwnProperty":null}'
  const { body } = await call('POST', '/products', `{"title":"x","options":${options}}`, json)
  t.equal(JSON.stringify(body.data.options), options)
})

t.test('a number beyond all bounds is refused, not stored as null', async (t) => {
  const { call } = await build(t)
  for (const number of ['1e400', '-1e400', `1${'0'.repeat(400)}`, '12345678901234567890e999']) {
    const { status, body } = await call(
      'POST',
      '/products',
      `{"title":"x","options":{"a":[${number}]}}`,
      json,
    )
    t.strictSame([status, body.code], [400, 'rest_invalid_json'], number)
  }
})

rule('large integers keep all their digits, through writing, merging and reading', async (t, host) => {
  const big = '{"a":12345678901234567890,"b":[-9007199254740993,0.1234567890123456789],"c":1.5}'
  const { text } = await host.call('POST', '/products', `{"title":"x","options":${big}}`, json)
  t.ok(text.includes(big))
  const merged = await host.call(
    'PATCH',
    '/products/1',
    '{"options":{"d":98765432109876543210,"c":null}}',
    json,
  )
  t.ok(
    merged.text.includes(
      '{"a":12345678901234567890,"b":[-9007199254740993,0.1234567890123456789],"d":98765432109876543210}',
    ),
  )
  const view = await host.call('POST', '/products/1/views', `{"title":"x","elements":[${big}]}`, json)
  t.ok(view.text.includes(`[${big}]`))
})

t.test('a large number is not an object, a string or an id', async (t) => {
  const host = await build(t)
  await newView(host, await newProduct(host))
  const number = '12345678901234567890'
  for (const [path, property] of [
    ['/products/1', 'options'],
    ['/products/1', 'title'],
    ['/views/1', 'options'],
    ['/views/1', 'elements'],
    ['/views/1', 'product_id'],
  ] as const) {
    const { status, body } = await host.call('PATCH', path, `{"${property}":${number}}`, json)
    t.strictSame(
      [status, body.code, Object.keys(body.data.params ?? {})],
      [400, 'rest_invalid_param', [property]],
      property,
    )
  }
  const order = await host.call(
    'POST',
    '/products/1/views',
    '{"title":"x","order":1.0000000000000000001}',
    json,
  )
  t.strictSame([order.status, Object.keys(order.body.data.params)], [400, ['order']])
  const view = await host.call(
    'POST',
    '/products/1/views',
    '{"title":"x","order":1.0,"elements":[12345678901234567890]}',
    json,
  )
  t.equal(view.status, 201, 'a plain integer stays one beside a large number')
})

t.test('unknown properties are refused, and nothing is written', async (t) => {
  const host = await build(t)
  await newView(host, await newProduct(host))
  for (const [method, path, body] of [
    ['POST', '/products', { title: 'x', name: 'y' }],
    ['POST', '/products', { title: 'x', id: 7 }],
    ['PATCH', '/products/1', { title: 'x', Title: 'y' }],
    ['POST', '/products/1/views', { title: 'x', constructor: 1 }],
    ['PATCH', '/views/1', { title: 'x', view_order: 1 }],
    ['POST', '/views/1/duplicate', { name: 'x' }],
    ['POST', '/categories', { title: 'x', products: [] }],
    ['PATCH', '/products/1', { sorted_views: [{ id: 1, title: 'x' }] }],
  ] as const) {
    const response = await host.call(method, path, body)
    t.strictSame([response.status, response.body.code], [400, 'rest_invalid_param'], JSON.stringify(body))
    t.match(response.body.message, new RegExp(String(Object.keys(body).at(-1))))
  }
  t.equal((await host.call('GET', '/products')).body.meta.total, 1)
  t.equal((await host.call('GET', '/products/1/views')).body.data[0].title, 'Front')
})

t.test('routes without a body refuse one with properties', async (t) => {
  const host = await build(t)
  await newCategory(host, 'Cups')
  for (const [method, path] of [
    ['POST', '/categories/1/clear'],
    ['DELETE', '/categories/1'],
  ] as const) {
    const { status, body } = await host.call(method, path, { force: true })
    t.strictSame(
      [status, body.code, Object.keys(body.data.params)],
      [400, 'rest_invalid_param', ['force']],
      path,
    )
    t.equal((await host.call(method, path, {})).status, 200)
  }
})

t.test('a body that is no object is refused', async (t) => {
  const host = await build(t)
  await newView(host, await newProduct(host))
  for (const [method, path] of [
    ['POST', '/products'],
    ['PATCH', '/views/1'],
    ['POST', '/views/1/duplicate'],
  ] as const) {
    for (const text of ['[1]', 'null', '5', '"title"', 'true', '[{"title":"x"}]', '12345678901234567890']) {
      const { status, body } = await host.call(method, path, text, json)
      t.strictSame([status, body.code], [400, 'rest_invalid_param'], `${path} ${text}`)
      t.strictSame(body.data.params, { body: 'must be a JSON object' })
    }
  }
})

ruleOnce('a lone surrogate, which PHP cannot read, is refused in every blob', async (t, host) => {
  await host.call('POST', '/products', { title: 'x' })
  for (const [method, path, property, blob, rest = '"title":"x"'] of [
    ['POST', '/products', 'options', '{"a":"\\ud800"}'],
    ['PATCH', '/products/1', 'options', '{"\\udfff":1}'],
    ['POST', '/products/1/views', 'elements', '[["x\\ud83d"]]'],
    ['POST', '/design-categories', 'designs', '[{"title":"\\ud83d"}]'],
    ['POST', '/pricing-rules', 'data', '{"a":"\\ude00\\ud83d"}', '"name":"x"'],
    ['POST', '/shortcode-orders', 'views', '[{"a":"\\ud800"}]', '"customer_name":"x"'],
  ] as const) {
    const { status, body } = await host.call(method, path, `{${rest},"${property}":${blob}}`, json)
    const params = { [property]: 'must not contain a lone surrogate' }
    t.strictSame([status, body.data.params], [400, params], path)
  }
  const whole = '{"a":"\\ud83d\\ude00 \\\\ud83d"}'
  const made = await host.call('POST', '/products', `{"title":"x","options":${whole}}`, json)
  t.strictSame(made.body.data.options, { a: '😀 \\ud83d' })
})

ruleOnce('what a string must be comes from its schema, whatever is wrong with it', async (t, { call }) => {
  const title = 'must be 1 to 255 characters long and not only whitespace'
  const trimmed = 'must be 1 to 255 characters long, without the whitespace around it'
  const text = 'must be 1 to 65,535 characters long and not only whitespace'
  const mail = 'must be an e-mail address of at most 100 characters, or empty'
  for (const [path, name, values, message] of [
    ['/products', 'title', ['', ' ', 'x'.repeat(256)], title],
    ['/categories', 'title', ['', ' ', 'x'.repeat(256), 'x'.repeat(1001)], trimmed],
    ['/text-templates', 'text', ['', '\n', 'x'.repeat(70_000)], text],
    ['/shortcode-orders', 'customer_mail', ['x', `${'x'.repeat(100)}@x.example`], mail],
  ] as const) {
    for (const value of values) {
      const { status, body } = await call('POST', path, { views: [{}], [name]: value })
      t.strictSame([status, body.data.params[name]], [400, message], `${path} ${value.slice(0, 9)}`)
    }
  }
})

t.test(
  'POST /categories: a body of many unknown properties is answered soon, with suggestions for the first',
  async (t) => {
    const { call } = await build(t)
    const names = Array.from({ length: 20_000 }, (_, i) => `titl${i}`)
    const began = process.cpuUsage()
    const { status, body } = await call('POST', '/categories', {
      title: 'Mugs',
      ...Object.fromEntries(names.map((name) => [name, 1])),
    })
    t.equal(status, 400)
    const problems = Object.values<string>(body.data.params)
    t.ok(problems.length > 100)
    t.ok(problems.filter((problem) => problem.includes('did you mean title?')).length <= 20)
    const { user, system } = process.cpuUsage(began)
    t.comment(`${(user + system) / 1000} ms of CPU`)
  },
)
