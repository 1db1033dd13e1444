// Pricing rules: the list and its order, the known part of their data, and the unknown part, which is kept.
import t from 'tap'
import { rulesOn } from '../support/hosts/shared-host.ts'

const rule = rulesOn(t, ['pricing_rules'])

const data = {
  property: 'textLength',
  target: { views: -1, elements: '#Name', also: 1 },
  type: 'any',
  rules: [{ operator: '>=', value: 10, price: 2.5, note: 'ä' }],
  vendor: { kept: [true] },
}

const names = (response: { body: { data: { name: string }[] } }) => response.body.data.map(({ name }) => name)

rule('a rule is created, read, changed and deleted', async (t, { call }) => {
  const made = await call('POST', '/pricing-rules', { name: ' Long texts ', data })
  t.match(made, { status: 201, headers: { location: 'https://shop.example/wp-json/svc/v1/pricing-rules/1' } })
  t.strictSame(made.body, { success: true, data: { id: 1, name: 'Long texts', data } })
  t.strictSame((await call('GET', '/pricing-rules/1')).body, made.body)
  const changed = await call('PATCH', '/pricing-rules/1', { data: { type: 'all' } })
  t.strictSame(changed.body.data, { id: 1, name: 'Long texts', data: { type: 'all' } })
  t.strictSame((await call('DELETE', '/pricing-rules/1')).body.data, { id: 1, deleted: true })
  for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const)
    t.match(await call(method, '/pricing-rules/1', body), {
      status: 404,
      body: { code: 'svc_pricing_rule_not_found' },
    })
})

rule('the list takes offset and limit, and has a total and links', async (t, { call }) => {
  for (let i = 0; i < 5; i++) await call('POST', '/pricing-rules', { name: `Rule ${i}`, data: {} })
  const { body, headers } = await call('GET', '/pricing-rules?limit=2&offset=2')
  t.strictSame(body.meta, { limit: 2, offset: 2, total: 5 })
  t.strictSame(
    body.data.map(({ id }: { id: number }) => id),
    [3, 4],
  )
  t.match(headers, { 'x-wp-total': '5', 'x-wp-totalpages': '3' })
  t.match(headers.link, /offset=0>; rel="prev", <.*offset=4>; rel="next"/)
  t.strictSame((await call('GET', '/pricing-rules?offset=50')).body.data, [])
  t.equal((await call('GET', '/pricing-rules')).body.meta.limit, 20)
  for (const query of ['limit=0', 'limit=101', 'limit=-1', 'offset=-1', 'limit=NaN'])
    t.equal((await call('GET', `/pricing-rules?${query}`)).status, 400, query)
})

rule('order_by takes id or name with a direction, and nothing else', async (t, { call }) => {
  for (const name of ['b', 'C', 'a']) await call('POST', '/pricing-rules', { name, data: {} })
  const by = async (order: string) =>
    names(await call('GET', `/pricing-rules?order_by=${encodeURIComponent(order)}`))
  t.strictSame(await by('name'), ['a', 'b', 'C'])
  t.strictSame(await by('name ASC'), ['a', 'b', 'C'])
  t.strictSame(await by('name desc'), ['C', 'b', 'a'])
  t.strictSame(await by('id DESC'), ['a', 'C', 'b'])
  t.strictSame(names(await call('GET', '/pricing-rules')), ['b', 'C', 'a'])
  for (const order of ['data', 'id;drop', 'name  ASC', '(select sleep(5))', 'name ASC, id', ''])
    t.match(await call('GET', `/pricing-rules?order_by=${encodeURIComponent(order)}`), {
      status: 400,
      body: { code: 'rest_invalid_param', data: { params: { order_by: /must be one of id/ } } },
    })
})

rule('search finds a part of the name in any case and takes wildcards literally', async (t, { call }) => {
  for (const name of ['50% off', '500 off', 'ÄRMEL', 'a\\b'])
    await call('POST', '/pricing-rules', { name, data: {} })
  const found = async (text: string) => await call('GET', `/pricing-rules?search=${encodeURIComponent(text)}`)
  t.strictSame(names(await found('50%')), ['50% off'])
  t.strictSame(names(await found('ärm')), ['ÄRMEL'])
  t.strictSame(names(await found('\\')), ['a\\b'])
  t.equal((await found('OFF')).body.meta.total, 2)
  t.strictSame(names(await call('GET', '/pricing-rules?search=off&limit=1&offset=1')), ['500 off'])
  t.strictSame(names(await call('GET', '/pricing-rules?include=2,3,99')), ['500 off', 'ÄRMEL'])
})

rule('every known property with an invalid value is named in a 422', async (t, { call }) => {
  const { status, body } = await call('POST', '/pricing-rules', {
    name: 'x',
    data: {
      property: 'weight',
      target: { views: -2, elements: '#' },
      type: 'some',
      rules: [{ operator: '!=', price: '5' }, 7, { operator: '=', price: 1 }],
    },
  })
  t.match({ status, body }, { status: 422, body: { success: false, code: 'svc_pricing_rule_invalid' } })
  t.strictSame(
    body.errors.map((text: string) => text.split(' ')[0]),
    [
      'data.property',
      'data.target.views',
      'data.target.elements',
      'data.type',
      'data.rules[0].operator',
      'data.rules[0].price',
      'data.rules[1]',
    ],
  )
  t.strictSame((await call('GET', '/pricing-rules')).body.data, [])
})

rule(
  'a number with more digits than a double is accepted as a price, but not as an object',
  async (t, { call }) => {
    const sent = (text: string) =>
      call('POST', '/pricing-rules', `{"name":"x","data":${text}}`, { 'content-type': 'application/json' })
    // As PHP with serialize_precision 17 writes 0.1.
    const made = await sent('{"rules":[{"operator":"=","price":0.10000000000000001}]}')
    t.equal(made.status, 201)
    t.match((await call('GET', '/pricing-rules/1')).text, '"price":0.10000000000000001')
    for (const text of ['{"target":12345678901234567890}', '{"rules":[12345678901234567890]}'])
      t.equal((await sent(text)).status, 422, text)
  },
)

rule('PATCH validates data as POST does, and then writes nothing', async (t, { call }) => {
  await call('POST', '/pricing-rules', { name: 'x', data })
  const refused = await call('PATCH', '/pricing-rules/1', { name: 'y', data: { rules: {} } })
  t.match(refused, { status: 422, body: { errors: ['data.rules must be an array'] } })
  t.strictSame((await call('GET', '/pricing-rules/1')).body.data, { id: 1, name: 'x', data })
  for (const known of ['all', 'image', 'text', 'customImage', 'customText', '#Any title'])
    t.equal(
      (await call('PATCH', '/pricing-rules/1', { data: { target: { views: 0, elements: known } } })).status,
      200,
    )
})

rule('a missing, empty or non-string name, and missing or non-object data give 400', async (t, { call }) => {
  t.match(await call('POST', '/pricing-rules', {}), {
    status: 400,
    body: { data: { params: ['name', 'data'] } },
  })
  for (const body of [
    { name: ' ', data },
    { name: 5, data },
    { name: 'x', data: [1] },
    { name: 'x', data: null },
    { name: 'x'.repeat(256), data },
  ])
    t.match(await call('POST', '/pricing-rules', body), { status: 400, body: { code: 'rest_invalid_param' } })
  t.equal((await call('POST', '/pricing-rules', { name: 'x', data, extra: 1 })).status, 400)
})

rule(
  'data of other writers is returned as stored, and listed in meta where it cannot be read',
  async (t, { call, db, t: tables }) => {
    const text = '{"b":1,  "a":"\\u00e4","n":12345678901234567890}'
    for (const stored of [text, 'a:1:{s:1:"k";s:1:"v";}', '', '{oops'])
      await db.insertInto(tables.pricing_rules).values({ name: 'x', data: stored }).execute()
    t.ok((await call('GET', '/pricing-rules/1')).text.includes(text))
    t.strictSame((await call('GET', '/pricing-rules/2')).body.data.data, { k: 'v' })
    t.strictSame((await call('GET', '/pricing-rules/3')).body.data.data, {})
    t.match(await call('GET', '/pricing-rules/4'), { status: 500, body: { code: 'svc_unreadable_value' } })
    t.strictSame((await call('GET', '/pricing-rules')).body.meta.unreadable, [{ id: 4, column: 'data' }])
    t.equal((await call('PATCH', '/pricing-rules/4', { name: 'y' })).status, 200)
    const row = await db
      .selectFrom(tables.pricing_rules)
      .select('data')
      .where('ID', '=', 4)
      .executeTakeFirst()
    t.equal(row?.data, '{oops')
  },
)

rule('tags, preconditions, fields, read-only fields and HEAD work as everywhere', async (t, { call }) => {
  await call('POST', '/pricing-rules', { name: 'x', data })
  const { headers, body } = await call('GET', '/pricing-rules/1')
  t.equal((await call('GET', '/pricing-rules/1', undefined, { 'if-none-match': headers.etag })).status, 304)
  t.equal((await call('PATCH', '/pricing-rules/1', body.data, { 'if-match': headers.etag })).status, 200)
  t.equal((await call('PATCH', '/pricing-rules/1', { name: 'y' }, { 'if-match': '"stale"' })).status, 412)
  t.equal((await call('DELETE', '/pricing-rules/1', undefined, { 'if-match': '"stale"' })).status, 412)
  t.equal((await call('PATCH', '/pricing-rules/1', { id: 2, name: 'y' })).status, 400)
  t.strictSame((await call('GET', '/pricing-rules?fields=name')).body.data, [{ name: 'x' }])
  t.match(await call('HEAD', '/pricing-rules'), { status: 200, text: '' })
})
