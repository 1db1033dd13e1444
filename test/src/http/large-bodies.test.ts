// Large bodies: nothing comes back other than from a small one, and their cost is bounded.
import t from 'tap'
import { parseBody } from '../../../src/http/body.ts'
import { newProduct, newView } from '../../support/fixtures/rows.ts'
import { build } from '../../support/hosts/build.ts'
import { rule } from '../../support/hosts/fresh-host.ts'

const json = { 'content-type': 'application/json' }
/** Makes any body a large one. */
const filler = `"filler":"${'ä€'.repeat(270_000)}"`

rule('a large blob comes back as the same value, with all digits and in its order', async (t, host) => {
  const blob = `{"b":[12345678901234567890,-0.12345678901234567890,1.5],"a":{"\\u00e4":"\\ud83d\\ude00"},${filler}}`
  const stored = blob.replace('\\u00e4', 'ä').replace('\\ud83d\\ude00', '😀')
  const made = await host.call('POST', '/products', `{"title":"x", "options": ${blob}}`, json)
  t.equal(made.status, 201)
  t.ok(made.text.includes(stored))
  const read = await host.call('GET', '/products/1')
  t.ok(read.text.includes(stored))
  t.equal(read.headers.etag, made.headers.etag)
  const view = await host.call('POST', '/products/1/views', `{"title":"x","elements":[${blob}]}`, json)
  t.ok(view.text.includes(`[${stored}]`))
})

rule('a patch merges into a large value, and a large patch into a small one', async (t, host) => {
  const product = await newProduct(host, { options: { keep: 1, drop: { a: 1, b: 2 } } })
  const path = `/products/${product}`
  const large = await host.call(
    'PATCH',
    path,
    `{"options":{"drop":{"a":null},"n":1234567890123456789,${filler}}}`,
    json,
  )
  t.match(large.body.data.options, { keep: 1, drop: { b: 2 } })
  const small = await host.call('PATCH', path, { options: { filler: null, keep: 2 } })
  t.equal(small.status, 200)
  t.ok(small.text.includes('"options":{"keep":2,"drop":{"b":2},"n":1234567890123456789}'))
  await host.call('PATCH', path, `{"options":{${filler}}}`, json)
  const again = await host.call('PATCH', path, { options: { keep: 3 } })
  t.equal(again.body.data.options.filler.length, 540_000)
  t.equal(again.body.data.options.keep, 3)
})

rule(
  'what was read of a large resource can be sent back, and changes are told from echoes',
  async (t, host) => {
    const product = await newProduct(host)
    await newView(host, product, { elements: [{ filler: 'x'.repeat(900_000), n: 1 }] })
    const { body, headers } = await host.call('GET', `/products/${product}?include_views=1`)
    const sent = { title: 'y', views: body.data.views }
    const match = { 'if-match': String(headers.etag) }
    t.equal((await host.call('PATCH', `/products/${product}`, sent, match)).status, 200)
    sent.views[0].elements[0].n = 2
    const { status, body: refused } = await host.call('PATCH', `/products/${product}`, sent)
    t.strictSame([status, Object.keys(refused.data.params)], [400, ['views']])
  },
)

rule('a large list of views is not an empty one', async (t, host) => {
  const views = [{ title: 'Front', elements: [{ source: 'x'.repeat(600_000) }] }, {}]
  const made = await host.call('POST', '/shortcode-orders', { views })
  t.equal(made.status, 201)
  t.strictSame((await host.call('GET', '/shortcode-orders/1')).body.data.views, views)
  const changed = await host.call('PATCH', '/shortcode-orders/1', { views: [...views, { title: 'Back' }] })
  t.equal(changed.status, 200)
  t.equal(changed.body.data.views.length, 3)
  for (const empty of ['[]', `[${' '.repeat(600_000)}]`, '{}']) {
    const body = `{"views":${empty},"customer_name":${JSON.stringify('x'.repeat(600_000))}}`
    const refused = await host.call('POST', '/shortcode-orders', body, json)
    t.strictSame([refused.status, Object.keys(refused.body.data.params)], [400, ['views', 'customer_name']])
  }
})

rule('large settings are stored like small ones', async (t, host) => {
  const values = {
    svc_downloadFilename: 'ä'.repeat(100_000),
    svc_languages: Array.from({ length: 30_000 }, (_, i) => `l${i}`),
    svc_color_lists: { large: { name: 'Large', colors: '#000,'.repeat(40_000) } },
  }
  const saved = await host.call('PATCH', '/settings', values)
  t.strictSame([saved.status, saved.body.data], [200, values])
  const keys = Object.keys(values)
    .map((key) => `keys[]=${key}`)
    .join('&')
  t.strictSame((await host.call('GET', `/settings/values?${keys}`)).body.data, values)
  const refused = await host.call('PATCH', '/settings', {
    ...values,
    svc_multi_languages: 'x'.repeat(70_000),
  })
  t.strictSame(refused.body.data?.params, { svc_multi_languages: 'must be true or false' })
})

/** Properties with different names. */
const names = (count: number) => Array.from({ length: count }, (_, i) => `"name ${i}":1`).join()

rule('a design may have 58,000 different names, or 80,000 numbers of 17 digits', async (t, host) => {
  const view = await newView(host, await newProduct(host))
  for (const elements of [`[{${names(58_000)}}]`, `[${'12345678901234567,'.repeat(80_000)}0]`]) {
    const { status, text } = await host.call('PATCH', `/views/${view}`, `{"elements":${elements}}`, json)
    t.equal(status, 200)
    t.ok(text.includes(`"elements":${elements}`))
  }
})

t.test('a large body is refused for the same reasons as a small one', async (t) => {
  const host = await build(t)
  await newView(host, await newProduct(host))
  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  for (const [body, status, code, problem] of [
    [`{"elements":[],${filler}}`, 400, 'rest_invalid_param', 'filler'],
    [`{"elements":[{${filler},"a":"\\ud800"}]}`, 400, 'rest_invalid_param', 'elements'],
    [`{"elements":{${filler}}}`, 400, 'rest_invalid_param', 'elements'],
    [`{"title":{${filler}}}`, 400, 'rest_invalid_param', 'title'],
    [`{"elements":[{${filler},"__proto__":1}]}`, 400, 'rest_invalid_json'],
    [`{"elements":[{${filler},"a":1e400}]}`, 400, 'rest_invalid_json'],
    [`{"elements":[{${filler},"a":${deep(512)}}]}`, 400, 'rest_invalid_json'],
    [`{"elements":[{${filler}}]`, 400, 'rest_invalid_json'],
    [`[{${filler}}]`, 400, 'rest_invalid_param', 'body'],
    [`{"elements":[${'0,'.repeat(500_000)}0]}`, 413, 'svc_body_too_large'],
    // They would be written as 21 digits each.
    [`{"elements":[${'1e20,'.repeat(84_000)}0]}`, 413, 'svc_body_too_large'],
    [`{"elements":[${'12345678901234567,'.repeat(84_000)}0]}`, 413, 'svc_body_too_large'],
    [`{"elements":[{${names(70_000)}}]}`, 413, 'svc_body_too_large'],
    [`{"elements":[${'['.repeat(4_000_000)}`, 400, 'rest_invalid_json'],
  ] as const) {
    const response = await host.call('PATCH', '/views/1', body, json)
    t.strictSame([response.status, response.body.code], [status, code], body.slice(0, 40))
    if (problem) t.strictSame(Object.keys(response.body.data.params), [problem])
  }
  t.strictSame((await host.call('GET', '/views/1')).body.data.elements, [])
})

t.test('a 400 lists a thousand problems at most and counts the rest', async (t) => {
  const host = await build(t)
  const body = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`unknown_${i}`, 1]))
  const { status, body: refused, text } = await host.call('POST', '/categories', { title: 'x', ...body })
  t.equal(status, 400)
  t.equal(Object.keys(refused.data.params).length, 1000)
  t.equal(refused.data.more, 2000)
  t.ok(text.length < 200_000)
  t.match(refused.message, /and 2980 more\.$/)
})

rule('a large body sent twice under one key makes one row', async (t, host) => {
  const headers = { ...json, 'idempotency-key': 'large' }
  const body = `{"title":"x","options":{${filler}}}`
  const first = await host.call('POST', '/products', body, headers)
  const second = await host.call('POST', '/products', body, headers)
  t.strictSame([first.status, second.status, second.headers['idempotency-replayed']], [201, 201, 'true'])
  t.equal((await host.call('POST', '/products', body.replace('ä', 'a'), headers)).status, 422)
})

rule(
  'a large color library is kept with what we do not know, and its problems are named',
  async (t, host) => {
    const colors = Array.from({ length: 9000 }, (_, i) => ({
      id: `c${i}`,
      hex: '#FA0',
      name: `Color ${i} ${'x'.repeat(40)}`,
    }))
    const saved = await host.call('PUT', '/color-library', { colors, palettes: [], later: { a: 1 } })
    t.equal(saved.status, 200)
    const { body, headers } = await host.call('GET', '/color-library')
    t.equal(headers.etag, saved.headers.etag)
    t.equal(body.data.colors.length, 9000)
    t.match(body.data, { later: { a: 1 }, colors: [{ id: 'c0', hex: '#ffaa00' }] })
    const used = await host.call('GET', '/color-library/usages?id=c7&type=color')
    t.equal(used.status, 200)
    const wrong = await host.call('PUT', '/color-library', {
      colors: [...colors, { id: 'c0', hex: 'x', name: '' }],
    })
    t.strictSame(
      [wrong.status, wrong.body.code, wrong.body.errors.length],
      [400, 'svc_color_library_invalid', 3],
    )
  },
)

rule('a large order can be sent back as it was read, and changes keep their digits', async (t, host) => {
  await host.call('POST', '/shortcode-orders', { views: [{}] })
  const design = `{"n":12345678901234567890,"a":{"b":[1.0]},${filler}}`
  const send = (order: string) => host.call('PATCH', '/orders/1', `{"type":"sc","order":${order}}`, json)
  t.equal((await send(design)).status, 200)
  const read = await host.call('GET', '/orders/1?type=sc')
  t.ok(read.text.includes('"n":12345678901234567890,"a":{"b":[1]}'))
  const order = read.body.data
  t.equal((await send(JSON.stringify(order))).headers.etag, read.headers.etag)
  const [item] = order.items
  for (const echo of [item, [item]])
    t.equal((await send(JSON.stringify(echo))).headers.etag, read.headers.etag)
  t.equal((await send(JSON.stringify([item, item]))).status, 400)
  const changed = await send(
    `{"item_id":null,"item_key":"_svc_data",${design.slice(1).replace('123456789012345678', '223456789012345678')}`,
  )
  t.equal(changed.status, 200)
  t.ok((await host.call('GET', '/orders/1?type=sc')).text.includes('22345678901234567890'))
})

t.test('a body may contain 500,000 values, which are counted before it is parsed', async (t) => {
  const host = await build(t, { bodyLimits: { blob: 32 * 2 ** 20 } })
  const send = (count: number) =>
    host.call('POST', '/products', `{"title":"x","options":{"a":[${'[],'.repeat(count)}0]}}`, json)
  t.equal((await send(249_980)).status, 201)
  const { user } = process.threadCpuUsage()
  t.match(await send(10_000_000), { status: 413, body: { message: /more than 500,000 values/ } })
  const spent = (process.threadCpuUsage().user - user) / 1000
  t.ok(spent < 1500, `${spent} ms, where parsing takes several seconds`)
  const strings = await host.call('POST', '/products', { title: 'x', options: { a: '[{,'.repeat(600_000) } })
  t.equal(strings.status, 201)
})

t.test(
  'long numbers, many names and escaped names count as several values, because they take longer to parse',
  async (t) => {
    const send = (items: string[]) => () => parseBody(Buffer.from(`{"elements":[${items}]}`))
    const times = <T>(count: number, item: (at: number) => T) =>
      Array.from({ length: count }, (_, at) => item(at))
    const tooMany = { message: /more than 500,000 values/ }
    t.throws(send(times(84_000, () => '12345678901234567890')), tooMany)
    t.throws(send(times(84_000, () => '0.12345678901234567')), tooMany)
    t.throws(send(times(84_000, () => '1e20')), tooMany)
    t.doesNotThrow(send(times(82_000, () => '12345678901234567890')))
    t.doesNotThrow(send(times(82_000, () => '1E-7')))
    t.doesNotThrow(send(times(490_000, () => '123456789012345')))
    const wide = (count: number) => `{${times(count, (at) => `"n${at}":1`)}}`
    t.throws(send([wide(80_000)]), tooMany)
    t.doesNotThrow(send([wide(60_000)]))
    t.throws(send(times(15, () => wide(10_000))), tooMany)
    t.doesNotThrow(send(times(490, () => wide(1000))))
    t.throws(send(times(130_000, (at) => `{"n${at}":1}`)), tooMany)
    t.doesNotThrow(send(times(245_000, (at) => `{"n${at % 100}":1}`)))
    for (const name of ['\\n', '\\u00e4', '\\"', 'a\\\\']) {
      t.throws(send(times(22_000, (at) => `{"${name}${at}": 1}`)), tooMany, name)
      t.doesNotThrow(send(times(20_000, (at) => `{"${name}${at}":1}`)), name)
      t.throws(send(times(52_000, (at) => `{"${name}${at % 100}": 1}`)), tooMany, name)
      t.doesNotThrow(send(times(48_000, (at) => `{"${name}${at % 100}":1}`)), name)
    }
    t.doesNotThrow(send(times(240_000, () => '{"ä:":"\\n"}')))
    t.doesNotThrow(send(times(490_000, () => '"\\u00e4:12345678901234567890"')))
  },
)

t.test('reading, comparing and merging a large body leave turns to other requests', async (t) => {
  const host = await build(t)
  const product = await newProduct(host)
  const patch = (name: string) =>
    host.call(
      'PATCH',
      `/products/${product}`,
      `{"options":{"${name}":[${'{"a":1},'.repeat(80_000)}0]}}`,
      json,
    )
  await patch('a')
  const used = () => process.threadCpuUsage().user
  let [longest, last, isOver] = [0, used(), false]
  const start = last
  const look = () => {
    const now = used()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(look)
  }
  look()
  t.equal((await patch('b')).status, 200)
  isOver = true
  look()
  t.ok(longest < (used() - start) * 0.8, `${longest} of ${used() - start} µs without a turn`)
})

rule('a value that becomes larger than could be read again is refused', async (t, host) => {
  const wide = 'x'.repeat(7 * 2 ** 20)
  const product = await newProduct(host, { options: { a: 1 } })
  const large = `{"a":"${'x'.repeat(30 * 2 ** 20)}"}`
  if (host.engine === 'MariaDB') return
  await host.db.updateTable(host.t.products).set({ options: large }).execute()
  const path = `/products/${product}`
  const refused = await host.call('PATCH', path, { options: { b: wide } })
  t.match(refused, { status: 413, body: { code: 'svc_body_too_large', message: /larger than 32 MiB/ } })
  const read = await host.call('GET', path)
  t.equal(read.text.length > large.length && read.status, 200)
  await host.db
    .updateTable(host.t.products)
    .set({ options: `{"a":"${'x'.repeat(33 * 2 ** 20)}"}` })
    .execute()
  t.match(await host.call('GET', path), {
    status: 500,
    body: { code: 'svc_unreadable_value', message: /larger than 32 MiB/ },
  })
  t.match(await host.call('PATCH', path, { options: { b: 1 } }), { status: 409 })
})
