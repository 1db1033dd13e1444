// The shapes of responses: one for success, one for errors, and what neither they nor the log ever contain.
import t from 'tap'
import { svcApi } from '../../../plugins/index.ts'
import { newCategory, newProduct, newView, storeOption } from '../../support/fixtures/rows.ts'
import { build, freshAddress, operationOf, type TestResponse, token } from '../../support/hosts/build.ts'
import { Fastify } from '../../support/hosts/fastify.ts'
import { rule, ruleOnce } from '../../support/hosts/fresh-host.ts'

ruleOnce('what worked is success, data and, where there is more to say, meta', async (t, host) => {
  const product = await newProduct(host)
  await newView(host, product)
  await newCategory(host, 'Cups')
  for (const path of ['/system', '/products/1', '/views/1', '/categories/1']) {
    const { status, text } = await host.call('GET', path)
    t.equal(status, 200)
    t.match(text, /^\{"success":true,"data":\{.*\}\}$/s, path)
  }
  for (const path of ['/products', '/products/1/views', '/categories']) {
    t.match((await host.call('GET', path)).text, /^\{"success":true,"data":\[.*\],"meta":\{.*\}\}$/s, path)
  }
})

ruleOnce('a create is 201 with the URL of the new resource, where it can be read', async (t, host) => {
  const product = await newProduct(host)
  const view = await newView(host, product)
  for (const [path, body] of [
    ['/products', { title: 'x' }],
    ['/products', { duplicate_product_id: product }],
    [`/products/${product}/views`, { title: 'x' }],
    [`/views/${view}/duplicate`, {}],
    ['/categories', { title: 'Cups' }],
  ] as const) {
    const made = await host.call('POST', path, body)
    t.equal(made.status, 201, path)
    const address = String(made.headers.location).replace('https://shop.example/wp-json/svc/v1', '')
    t.strictSame((await host.call('GET', address)).body.data, made.body.data, address)
  }
})

ruleOnce('a delete is 200 with the id of what is gone, and then 404', async (t, host) => {
  const product = await newProduct(host)
  const view = await newView(host, product)
  const category = await newCategory(host, 'Cups')
  for (const [path, id, code] of [
    [`/views/${view}`, view, 'svc_view_not_found'],
    [`/categories/${category}`, category, 'svc_category_not_found'],
    [`/products/${product}`, product, 'svc_product_not_found'],
  ] as const) {
    const { status, body } = await host.call('DELETE', path)
    t.strictSame([status, body], [200, { success: true, data: { id, deleted: true } }])
    for (const [method, sent] of [
      ['DELETE', undefined],
      ['GET', undefined],
      ['PATCH', { title: 'x' }],
    ] as const) {
      const gone = await host.call(method, path, sent)
      t.strictSame(
        [gone.status, gone.body.code, gone.body.data],
        [404, code, { status: 404 }],
        `${method} ${path}`,
      )
    }
  }
})

t.test('what did not work is success false, a code, one sentence and data with the status', async (t) => {
  const host = await build(t)
  await newProduct(host)
  const refused: [string, TestResponse][] = [
    ['401', await host.call('GET', '/products', undefined, { authorization: undefined })],
    ['403', await host.call('GET', '/products', undefined, { authorization: 'Bearer x' })],
    ['404', await host.call('GET', '/nothing')],
    ['404', await host.call('GET', '/products/9')],
    ['400', await host.call('POST', '/products', {})],
    ['400', await host.call('POST', '/products', { title: 5 })],
    ['400', await host.call('POST', '/products', '{', { 'content-type': 'application/json' })],
    ['412', await host.call('DELETE', '/products/1', undefined, { 'if-match': '"x"' })],
    ['415', await host.call('POST', '/products', 'x', { 'content-type': 'text/plain' })],
  ]
  for (const [status, { body, ...response }] of refused) {
    t.equal(String(response.status), status)
    t.strictSame(Object.keys(body), ['success', 'code', 'message', 'data'])
    t.strictSame([body.success, body.data.status], [false, response.status])
    t.match(body.message, /^[A-Z].*[^.]\.$/)
    t.match(body.code, /^(svc|rest)_[a-z_]+$/)
  }
})

/** A host whose log can be read. */
async function logging(t: Parameters<typeof build>[0], options: Parameters<typeof build>[1] = {}) {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const host = await build(t, { ...options, server: { logger: { level: 'trace', stream } } })
  return { ...host, lines }
}

ruleOnce(
  'an internal failure is 500 with the request id, and only the log has the reason',
  async (t, { engine }) => {
    const host = await logging(t, { engine })
    await newProduct(host)
    await host.db.schema.dropTable(host.t.views).execute()
    const { status, body, text } = await host.call(
      'POST',
      '/products/1/views',
      { title: 'Secret title' },
      { 'x-request-id': 'mine' },
    )
    t.strictSame([status, body.code], [500, 'svc_internal_error'])
    t.strictSame(body.data, { status: 500, request_id: 'mine' })
    t.notMatch(text, /svc_views|select|insert|sql|stack|\/work|\.ts|no such table/i)
    const log = host.lines.find((line) => line.includes('"request_id":"mine"'))
    t.match(log, /svc_views/, 'the operator can see what is missing')
    t.notMatch(log, /insert into|Secret title/i)
  },
)

rule('neither a token nor a statement is ever in the log or in a response', async (t, { engine }) => {
  const host = await logging(t, { engine })
  const wrong = 'fedcba9876543210'.repeat(4)
  const responses = [
    await host.call('GET', '/system'),
    await host.call('GET', '/products', undefined, { authorization: `Bearer ${wrong}` }),
    await host.call('GET', '/products', undefined, { authorization: `Bearer ${token} ` }),
    await host.call('POST', '/products', { title: 'x' }),
    await host.call('GET', '/products?limit=x'),
  ]
  await storeOption(host, 'svc_api_token', '')
  for (let i = 0; i < 2; i++)
    responses.push(await host.call('GET', '/products', undefined, { authorization: 'Basic x' }))
  await host.db.schema.dropTable(host.t.products).execute()
  responses.push(await host.call('GET', '/products'))
  const said =
    host.lines.join('') + responses.map(({ text, headers }) => text + JSON.stringify(headers)).join('')
  const { option_value } = await host.db
    .selectFrom(host.t.options)
    .select('option_value')
    .where('option_name', '=', 'svc_api_token')
    .executeTakeFirstOrThrow()
  for (const secret of [token, wrong, option_value || 'no token yet']) t.notOk(said.includes(secret))
  t.notMatch(said, /select .* from|insert into/i)
})

t.test('a refusal by the host’s own hook keeps its status and its words, in our shape', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  app.addHook('onRequest', async (request) => {
    const refusal = Object.assign(new Error('Slow down.'), { statusCode: 429, code: 'TOO_FAST' })
    if (request.headers['x-fast']) throw refusal
  })
  const address = await freshAddress(t, 'SQLite')
  await app.register(svcApi, { database: address, siteUrl: 'https://shop.example', migrate: true })
  const response = await app.inject({ url: '/wp-json/svc/v1/products', headers: { 'x-fast': '1' } })
  t.strictSame(response.json(), {
    success: false,
    code: 'TOO_FAST',
    message: 'Slow down.',
    data: { status: 429 },
  })
  t.match(response.headers, { 'x-content-type-options': 'nosniff', 'x-request-id': String })
})

t.test('the message of a 404 names the id that was requested, also in a replay', async (t) => {
  const dir = t.testdir({})
  const { call, routes } = await build(t, {
    uploads: { dir, url: 'https://shop.example/uploads' },
    renderer: true,
  })
  const bodies: Record<string, object> = {
    add_product_view: { title: 'x' },
    update_product: { title: 'x' },
    update_view: { title: 'x' },
    duplicate_view: {},
    update_category: { title: 'x' },
    update_design_category: { title: 'x' },
    update_pricing_rule: { name: 'x' },
    update_print_profile: { name: 'x' },
    duplicate_print_profile: { name: 'x' },
    update_user_interface: { name: 'x' },
    update_shortcode_order: { customer_name: 'x' },
    update_order: { type: 'sc', order: {} },
    set_print_state: { type: 'sc', state: 'printed' },
    export_order: { type: 'sc' },
    update_text_template: { text: 'x' },
  }
  let tried = 0
  for (const route of routes.filter(({ url }) => url.includes('/:') && !url.includes('/print_job/'))) {
    const url = route.url.replace('/wp-json/svc/v1', '').replace(/:\w+/, '98765')
    const path = url.startsWith('/orders') ? `${url}?type=sc` : url
    const headers = { 'idempotency-key': `${route.method} ${url}` }
    for (const method of [route.method].flat().filter((name) => name !== 'HEAD')) {
      for (const _ of method === 'POST' ? [1, 2] : [1]) {
        const { status, body } = await call(method, path, bodies[String(operationOf(route))], headers)
        t.match([status, body.message], [404, /98765/], `${method} ${url}`)
        tried++
      }
    }
  }
  t.ok(tried > 30)
  for (const path of [
    '/print-profiles/master',
    '/fonts/No%20Such',
    '/assets/2026%2F01%2Fx.png',
    '/assets/2026/01/x.png',
  ]) {
    const { status, body } = await call(path.startsWith('/print') ? 'GET' : 'DELETE', path)
    t.match(
      [status, body.message],
      [404, new RegExp(` ${decodeURIComponent(path.replace(/^\/\w+(-\w+)?\//, ''))}\\.$`)],
    )
  }
})
