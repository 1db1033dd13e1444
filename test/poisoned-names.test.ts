// V8 of some versions misreads escaped names after it has read others (nodejs/node#63785). No request and no route of the
// host can ruin by that what others store or read.
import t, { type Test } from 'tap'
import { svcClient } from '../src/client/client.ts'
import { newProduct, newView, storeOption } from './support/fixtures/rows.ts'
import { build, onEachEngine, type TestHost, token } from './support/hosts/build.ts'
import { legacy } from './support/hosts/legacy.ts'
import { storedOption } from './support/hosts/options.ts'

const json = { 'content-type': 'application/json' }

/** An object as PHP writes it. @param first the name before the one that is misread */
const escaped = (first: string, rest = '') => `{"${first}":400,"Gr\\u00f6\\u00dfe":"M","layout":"x"${rest}}`
/** What makes V8 misread it. */
const poison = (first: string) => `{"a":{"${first}":1,"Gr\\\\u0":1,"z":1}}`
const misread = 'Gr\\\\u0'

type Send = (host: TestHost, text: string) => Promise<unknown>
/** How names become known to the process. */
const poisoners: Record<string, Send> = {
  'the webhook': ({ app }, payload) =>
    app.inject({ method: 'POST', url: '/wp-json/svc-export/v1.0/print_job/x', headers: json, payload }),
  "a host's own route": ({ app }, payload) =>
    app.inject({ method: 'POST', url: '/host', headers: json, payload }),
  'arguments of a tool': ({ app }, text) =>
    app.inject({
      method: 'POST',
      url: '/wp-json/svc/v1/mcp',
      headers: { ...json, authorization: `Bearer ${token}` },
      payload: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_product","arguments":${text}}}`,
    }),
  'a write': ({ call }, text) => call('POST', '/products', `{"title":"other","options":${text}}`, json),
  'a large write': ({ call }, text) =>
    call('POST', '/products', `{"title":"other","options":{"x":"${'x'.repeat(600_000)}","p":${text}}}`, json),
}

const hostOf = (t: Test, engine: TestHost['engine']) =>
  build(t, { engine, mcp: true, after: (app) => void app.post('/host', async () => ({})) })

const templates = 'svc_text_templates'
const library = 'svc_color_library'
const color = (inside: string) => `{"id":"a","hex":"#ff0000","name":"A","o":${inside}}`

/** Bodies of honest clients that escape what is not ASCII. */
const bodies = (
  product: number,
  view: number,
): [method: string, path: string, body: (inside: string) => string, read?: string][] => [
  ['PATCH', `/products/${product}`, (o) => `{"options":{"own":${o}}}`, `/products/${product}`],
  ['PATCH', `/views/${view}`, (o) => `{"options":{"own":${o}},"elements":[${o}]}`, `/views/${view}`],
  ['POST', '/pricing-rules', (o) => `{"name":"x","data":${o}}`],
  ['POST', '/print-profiles', (o) => `{"name":"x","data":{"a":${o}}}`],
  ['POST', '/user-interfaces', (o) => `{"name":"x","data":{"a":${o}}}`],
  ['POST', '/design-categories', (o) => `{"title":"x","designs":[{"title":"s","image":"s","o":${o}}]}`],
  ['POST', '/shortcode-orders', (o) => `{"views":[${o}]}`, '/orders/1?type=sc'],
  ['PATCH', '/orders/1', (o) => `{"type":"sc","order":{"product":[${o}]}}`, '/orders/1?type=sc'],
  ['PUT', '/color-library', (o) => `{"colors":[${color(o)}],"palettes":[]}`, '/color-library'],
]

t.test('names that became known in any way change no row, body or response', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await hostOf(t, engine)
    for (const [who, send] of Object.entries(poisoners)) await hold(t, host, who, send)
  }),
)

async function hold(t: Test, host: TestHost, who: string, send: Send): Promise<void> {
  const { call, db, t: names } = host
  const first = `first${who.replace(/\W/g, '')}${host.engine}`
  const text = escaped(first)
  const product = await newProduct(host)
  const view = await newView(host, product)
  await db.updateTable(names.products).set({ options: text }).where('ID', '=', product).execute()
  await db
    .updateTable(names.views)
    .set({ options: text, elements: `[${text}]` })
    .execute()
  await db.deleteFrom(names.options).where('option_name', 'in', [templates, library]).execute()
  await storeOption(host, templates, `[${escaped('text')},${text},{"text":"b"}]`)
  await storeOption(host, library, `{"version":2,"colors":[${color(text)}],"palettes":[]}`)
  await send(host, poison(first))
  await send(host, poison('text'))

  t.match((await call('GET', '/color-library')).text, 'Größe', who)
  for (const [path, body] of [
    [`/products/${product}`, { options: { note: 'honest' } }],
    [`/views/${view}`, { options: { note: 'honest' } }],
    ['/text-templates/2', { text: 'c' }],
  ] as const)
    t.equal((await call('PATCH', path, body)).status, 200, `${path} after ${who}`)
  t.notOk((await storedOption(host, templates))?.includes(misread), `templates after ${who}`)
  t.match(await toolCall(host, 'get_product', `{"id":${product}}`), 'Größe', who)
  await toolCall(host, 'update_product', `{"id":${product},"options":{"tool":${text}}}`)
  const { options } = await db
    .selectFrom(names.products)
    .select('options')
    .where('ID', '=', product)
    .executeTakeFirstOrThrow()
  t.match(JSON.parse(String(options)), { Größe: 'M', tool: { Größe: 'M' } }, who)

  const filler = who.includes('large') ? `,"filler":"${'x'.repeat(600_000)}"` : ''
  for (const [method, path, body, read] of bodies(product, view)) {
    const sent = await call(method, path, body(escaped(first, filler)), json)
    t.ok(sent.status < 300, `${method} ${path}: ${sent.text.slice(0, 300)}`)
    const { text } = await call('GET', read ?? `${path}/${sent.body.data.id}?include_data=1`)
    for (const shown of [sent.text, text]) {
      t.ok(shown.includes('Größe'), `${method} ${path} after ${who}`)
      t.notOk(shown.includes(misread), `${method} ${path} after ${who}`)
    }
  }
}

async function toolCall({ app }: TestHost, name: string, args: string): Promise<string> {
  const { payload } = await app.inject({
    method: 'POST',
    url: '/wp-json/svc/v1/mcp',
    headers: { ...json, accept: 'application/json, text/event-stream', authorization: `Bearer ${token}` },
    payload: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`,
  })
  return payload
}

t.test('rows of an older installation are imported, and written back for PHP, with their names', (t) =>
  onEachEngine(t, async (t, engine) => {
    const first = `legacy${engine}`
    JSON.parse(poison(first))
    JSON.parse(poison('name'))
    const rule = (name: string) => `{"name":"${name}","data":${escaped(first)}}`
    const host = await legacy(t, engine, {
      svc_pr_groups: `[${rule('a')},${rule('b')}]`,
      svc_ui_layout_default: `{"name":"Default","o":${escaped(first)}}`,
    })
    t.match((await host.call('GET', '/pricing-rules')).text, /Größe.*Größe/)
    t.match((await host.call('GET', '/user-interfaces/1?include_data=1')).text, 'Größe')
    await host.call('PATCH', '/pricing-rules/1', { name: 'c' })
    await host.call('PATCH', '/user-interfaces/1', { name: 'c' })
    for (const name of ['svc_pr_groups', 'svc_ui_layout_default'])
      t.notOk((await host.option(name))?.includes(misread), name)
  }),
)

t.test('the client reads responses with the names that they have', async (t) => {
  const host = await hostOf(t, 'SQLite')
  const product = await newProduct(host)
  await host.db
    .updateTable(host.t.products)
    .set({ options: escaped('client') })
    .execute()
  const url = await host.app.listen({ port: 0, host: '127.0.0.1' })
  JSON.parse(poison('client'))
  const client = svcClient({ url: `${url}/wp-json`, token })
  t.match((await client.getProduct({ id: product })).data, { options: { Größe: 'M' } })
})
