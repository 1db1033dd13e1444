// Values that others have stored and that are too deep or too many to be parsed: every operation and page responds, and nothing is lost.
import t from 'tap'
import { eraseCustomer, svcSettingsScreen } from '../../plugins/index.ts'
import { shapes, tableNames } from '../../src/db/tables.ts'
import { font } from '../support/fixtures/make-font.ts'
import { png } from '../support/fixtures/make-png.ts'
import { operationCalls } from '../support/fixtures/operation-calls.ts'
import { token } from '../support/hosts/build.ts'
import { deskShop } from '../support/hosts/desk.ts'
import { everything, legacy, rule, rules } from '../support/hosts/legacy.ts'
import { storedOption } from '../support/hosts/options.ts'
import { screenClient, store } from '../support/hosts/screen.ts'
import { textElement, viewWith } from '../support/render/render-shop.ts'

const levels = 10_000
const nested = (open: string, close: string) => `${open.repeat(levels)}1${close.repeat(levels)}`
const repeated = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join(',')
const forms = {
  objects: nested('{"a":', '}'),
  'groups of elements': nested('{"objects":[{"type":"group","parameters":{"price":', '}}]}'),
  'views in orders': nested('{"product":[{"elements":[{"views":', '}]}]}'),
  'more values than a body has': `[${repeated(250_001, () => '[]')}]`,
  'more escaped names than a body has': `{${repeated(25_000, (index) => `"\\u00e4${index}":1`)}}`,
}
const blobs = tableNames
  .filter((table) => table !== 'options')
  .flatMap((table) =>
    Object.entries(shapes[table].columns).flatMap(([column, { kind }]) =>
      kind === 'blob' ? [[table, column] as const] : [],
    ),
  )
const listOptions = [
  'svc_color_library',
  'svc_color_lists',
  'svc_color_prices',
  'svc_common_fonts',
  'svc_hex_names',
  'svc_text_templates',
]

for (const [name, deep] of Object.entries(forms)) {
  t.test(`no operation and no page fails on ${name}`, async (t) => {
    const drawable = viewWith(textElement('Ada'))
    const shop = await deskShop(t, 'SQLite', [drawable], {
      mcp: true,
      after: (app) => {
        app.register(svcSettingsScreen, { prefix: '/settings', authorize: () => true })
      },
    })
    const { host, client, id } = shop
    const { db, t: names } = host
    const deepen = async () => {
      for (const [table, column] of blobs)
        await db
          .updateTable(names[table])
          .set({ [column]: deep })
          .execute()
      await db
        .withTables<{ wp_woocommerce_order_itemmeta: { meta_key: string; meta_value: string } }>()
        .updateTable('wp_woocommerce_order_itemmeta')
        .set({ meta_value: deep })
        .where('meta_key', '=', '_svc_data')
        .execute()
    }
    await store(host, Object.fromEntries(listOptions.map((key) => [key, deep])))
    const responds = (what: string, status: number, code?: string) =>
      t.ok(status < 500 || code === 'svc_unreadable_value', `${what} responds ${status} ${code ?? ''}`)
    const send = (method: string, path: string, payload?: unknown) =>
      host.app.inject({
        method: method as 'GET',
        url: `/wp-json/svc/v1${path}`,
        headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
        ...(payload !== undefined && { payload: payload as object }),
      })
    const isOrder = (value: unknown) => value === '{order}'
    const named = (value: object) =>
      JSON.parse(JSON.stringify(value, (_, each) => (isOrder(each) ? id : each)).replaceAll(/\{\w+\}/g, '1'))
    const calls = operationCalls({ picture: png({ width: 8, height: 8 }), font: font(), drawable })
    let isWritten = true
    for (const { operation, args, request } of calls.filter(({ file }) => !file)) {
      if (isWritten) await deepen()
      isWritten = request.method !== 'GET'
      const path = request.path.replace('{order}', `${id}`).replaceAll(/\{\w+\}/g, '1')
      const response = await send(request.method, path, request.body)
      const isJson = String(response.headers['content-type']).includes('json')
      responds(operation, response.statusCode, isJson ? response.json().code : undefined)
      if (request.method !== 'GET') continue
      const params = { name: operation, arguments: named(args) }
      const tool = await send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
      responds(`the tool ${operation}`, tool.statusCode)
      t.notMatch(tool.body, 'svc_internal_error')
    }
    await deepen()
    const exported = await shop.order()
    t.match(exported.body.code, /^svc_(?:render_refused|unreadable_value)$/, `${exported.status}`)
    for (const path of ['orders', `order?type=wc&id=${id}`, 'queue', 'products'])
      responds(path, (await client.get(path)).status)
    const screen = screenClient(host.app)
    for (const path of ['colors', 'fonts', 'text-templates', 'status', 'general'])
      responds(`settings/${path}`, (await screen.get(path)).status)
    await t.resolves(eraseCustomer({ database: host.address, mail: 'ada@shop.example' }))
  })
}

rule('rules and layouts of a legacy installation that are too deep stay as they are', async (t, engine) => {
  const odd = {
    svc_pr_groups: `[${JSON.stringify(rules[0])},{"name":"Deep","data":${forms.objects}}]`,
    svc_ui_layout_deep: `{"name":"Deep","data":${forms.objects}}`,
  }
  const host = await legacy(t, engine, { ...everything, ...odd })
  for (const group of ['pricing-rules', 'user-interfaces']) {
    const { status, body } = await host.call('POST', `/${group}`, { name: 'New', data: {} })
    t.equal(status, 201)
    t.equal((await host.call('PATCH', `/${group}/${body.data.id}`, { name: 'Newer' })).status, 200)
    t.equal((await host.call('GET', `/${group}`)).status, 200)
  }
  for (const [key, stored] of Object.entries(odd)) t.ok((await storedOption(host, key)) === stored, key)
})
