// Arguments as agents really send them: objects as JSON text, and null for none.
import t from 'tap'
import { token } from '../../support/hosts/build.ts'
import { caller, connected, servedTools } from '../../support/hosts/mcp.ts'

t.test('tools/call: JSON text is parsed for an argument that takes objects or lists alone', async (t) => {
  const { url, call } = await servedTools(t)
  const tool = caller(await connected(t, url))
  const design = { title: '{"a":1}', options: '{"n":12345678901234567890,"stage":{"width":10}}' }
  t.notOk((await tool('create_product', design)).isError)
  const { text, body } = await call('GET', '/products/1')
  t.equal(body.data.title, '{"a":1}', 'text is text where the argument is a string')
  t.match(text, '{"n":12345678901234567890,"stage":{"width":10}}')
  const elements = ' [{"type":"text","title":"Name","source":"Ada"}]'
  t.notOk((await tool('add_product_view', { id: 1, title: 'Front', elements })).isError)
  const { data: views } = (await call('GET', '/products/1/views')).body
  t.match(views, [{ elements: [{ source: 'Ada' }] }])
  for (const settings of [
    { body: '{"svc_api_fonts_enabled":false}' },
    { settings: '{"svc_api_fonts_enabled":true}' },
  ])
    t.notOk((await tool('update_settings', settings)).isError, JSON.stringify(settings))
  const { structuredContent } = await tool('get_settings', { keys: '["svc_api_fonts_enabled"]' })
  t.strictSame(structuredContent?.data, { svc_api_fonts_enabled: true })
})

t.test('tools/call: other text for an object or list is refused by the API with its words', async (t) => {
  const { url, call } = await servedTools(t)
  const tool = caller(await connected(t, url))
  const texts = {
    'no JSON': '{"a":',
    'a list for an object': '[1]',
    'a number': '1',
    'nested too deeply': `{"a":${'['.repeat(520)}${']'.repeat(520)}}`,
  }
  for (const [kind, options] of Object.entries(texts)) {
    const { isError, content } = await tool('create_product', { title: 'Mug', options })
    t.ok(isError, kind)
    t.match(content[0]?.text, /options/, kind)
  }
  t.strictSame((await call('GET', '/products')).body.data, [])
})

t.test('POST /mcp: null for the arguments of a call means that there are none', async (t) => {
  const { url } = await servedTools(t)
  const send = async (name: string) => {
    const params = { name, arguments: null }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const sent = [message, [message]].map((each) =>
      fetch(url, { method: 'POST', headers, body: JSON.stringify(each) }),
    )
    const [single, batch] = await Promise.all(
      sent.map(async (response) => [(await (await response).json()) as { result?: unknown }].flat()[0]),
    )
    t.strictSame(batch, single, 'in a batch, too')
    return single?.result
  }
  t.match(await send('list_products'), { structuredContent: { data: [] } })
  t.match(await send('get_product'), { isError: true, content: [{ text: 'Missing parameters: id.' }] })
})

t.test('tools/list: the type of an order has its values and its default', async (t) => {
  const { url } = await servedTools(t)
  const client = await connected(t, url)
  const { tools } = await client.listTools()
  const typed = {
    list_orders: 'wc',
    get_order: 'wc',
    update_order: 'wc',
    delete_order: 'shortcode',
    export_order: 'wc',
    get_order_preview: 'wc',
    get_order_preflight: 'wc',
  }
  for (const [name, fallback] of Object.entries(typed)) {
    const type = tools.find((tool) => tool.name === name)?.inputSchema.properties?.type
    t.match(type, { type: 'string', enum: ['wc', 'shortcode', 'sc', 'gf'], default: fallback }, name)
  }
  const unknown = await caller(client)('list_orders', { type: 'edd' })
  t.match(unknown, { isError: true, content: [{ text: /type must be one of wc, shortcode, sc, gf/ }] })
})
