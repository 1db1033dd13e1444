// What the tools are made of: arguments that fit an agent, hints that lead somewhere, and pictures.
import sharp from 'sharp'
import t from 'tap'
import { resultOf } from '../../../src/mcp/results.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { caller, connected, servedTools } from '../../support/hosts/mcp.ts'
import { viewWith } from '../../support/render/render-shop.ts'

t.test('a 404 names the tool that lists the ids, where there is one', async (t) => {
  const { url } = await servedTools(t)
  const tool = caller(await connected(t, url))
  const guid = '5f0c7c0e-6f7e-4d62-9c39-0c1d2f3a4b5c'
  const calls = {
    list_products: [
      ['get_product', { id: 9 }],
      ['add_product_view', { id: 9, title: 'Front' }],
    ],
    list_product_views: [
      ['get_view', { id: 9 }],
      ['duplicate_view', { id: 9 }],
    ],
    list_print_profiles: [
      ['set_print_profile_master', { id: 9 }],
      ['duplicate_print_profile', { id: 9, name: 'Copy' }],
    ],
    list_settings: [['get_settings_group', { tab: 'none' }]],
    list_orders: [['get_order', { id: 9, type: 'shortcode' }]],
    list_text_templates: [['get_text_template', { index: 9 }]],
    list_assets: [['delete_asset', { key: '2026/01/none.png' }]],
    list_print_jobs: [['announce_print_file', { guid, file_url: 'https://router.example/a.pdf' }]],
  } as const
  for (const [list, misses] of Object.entries(calls)) {
    for (const [name, args] of misses) {
      const { isError, content } = await tool(name, args)
      t.ok(isError, name)
      t.match(content[0]?.text, new RegExp(`\\b${list} gives the ids`), name)
    }
  }
  const { isError, content } = await tool('get_color_library_usages', { id: 'none', type: 'color' })
  t.match([isError, content[0]?.text], [true, /Nothing has this id\.$/], 'no tool lists colors')
})

t.test(
  'an argument is given as it is: a key of an asset and the name of a font are not encoded',
  async (t) => {
    const { url } = await servedTools(t)
    const client = await connected(t, url)
    const tool = caller(client)
    const file = png({ width: 4, height: 4 }).toString('base64')
    const made = await tool('upload_asset', { file, filename: 'a b.png' })
    const key = String(made.structuredContent?.data.key)
    t.match(key, '/')
    t.match(await tool('delete_asset', { key }), { structuredContent: { data: { deleted: true } } })
    t.notMatch(JSON.stringify((await client.listTools()).tools), /URL-encoded/)
  },
)

t.test('nothing that an agent cannot send is described: no headers, no forms', async (t) => {
  const { url } = await servedTools(t)
  const { tools } = await (await connected(t, url)).listTools()
  for (const { name, description, inputSchema } of tools) {
    const text = JSON.stringify({ description, inputSchema })
    t.notMatch(text, /Prefer|respond-async|If-Match|ETag|Idempotency|\bheader\b|\bform with\b/, name)
  }
})

t.test('what the instructions say of the parameters of all lists, no tool says again', async (t) => {
  const { url } = await servedTools(t)
  const client = await connected(t, url)
  const { tools } = await client.listTools()
  const properties = tools.find(({ name }) => name === 'list_products')?.inputSchema.properties ?? {}
  for (const name of ['fields', 'include', 'search', 'offset']) {
    t.match(client.getInstructions(), new RegExp(`\\b${name}\\b`))
    t.equal(Object(properties[name]).description, undefined, name)
  }
  t.type(Object(properties.order_by).description, 'string')
})

t.test(
  'tools/list: an argument has a default if that is a name, such as an order, never a number',
  async (t) => {
    const { url } = await servedTools(t)
    const { tools } = await (await connected(t, url)).listTools()
    for (const { name, inputSchema } of tools)
      t.notMatch(JSON.stringify(inputSchema), /"default":(?!"[^"])/, name)
    t.match(JSON.stringify(tools), /"default":"/)
  },
)

t.test('a notification needs no body, since its properties are parameters', async (t) => {
  const { url } = await servedTools(t)
  const { tools } = await (await connected(t, url)).listTools()
  const { required, properties } = tools.find(({ name }) => name === 'announce_print_file')?.inputSchema ?? {}
  t.strictSame(required, ['guid'])
  t.notOk(properties?.body)
  t.ok(properties?.file_url)
})

t.test('no schema lists types or has a branch that takes everything', async (t) => {
  const { url } = await servedTools(t)
  const { tools } = await (await connected(t, url)).listTools()
  for (const { name, inputSchema, outputSchema } of tools) {
    const text = JSON.stringify({ inputSchema, outputSchema })
    t.notMatch(text, /"type":\[|"anyOf":\[[^\]]*\{\}/, name)
  }
})

t.test('a preview is a picture', async (t) => {
  const { url, call } = await servedTools(t, { renderer: true })
  const { data } = (await call('POST', '/products', { title: 'Mug' })).body
  await call('POST', `/products/${data.id}/views`, viewWith())
  const client = await connected(t, url)
  await client.listTools()
  const tool = caller(client)
  const result = await tool('get_product_preview', { id: data.id, width: 60 })
  t.match(result, { isError: undefined, content: [{ type: 'image', mimeType: 'image/png' }] })
  const bytes = Buffer.from(result.content[0]?.data ?? '', 'base64')
  t.equal((await sharp(bytes).metadata()).width, 60)
  const missing = await tool('get_product_preview', { id: 99 })
  t.match(missing, { isError: true, content: [{ type: 'text', text: /list_products/ }] })
})

t.test('a picture that clients would refuse is an error that says how to get a smaller one', async (t) => {
  const called = { listTool: undefined, restHint: '', isSelected: false }
  const headers = new Headers({ 'content-type': 'image/png' })
  const result = await resultOf(called, { status: 200, headers, bytes: new Uint8Array(800_000) })
  t.match(result, { isError: true, content: [{ type: 'text', text: /smaller width/ }] })
})

t.test('a long list is cut', async (t) => {
  const called = { listTool: undefined, restHint: '', isSelected: false }
  const data = Array.from({ length: 100_000 }, (_, id) => ({ id }))
  const bytes = new TextEncoder().encode(JSON.stringify({ success: true, data }))
  const result = resultOf(called, { status: 200, headers: new Headers(), bytes })
  t.match(result.structuredContent, { meta: { truncated: /of 100000 items/ } })
})

t.test('an error says each thing once', async (t) => {
  const { url } = await servedTools(t)
  const tool = caller(await connected(t, url))
  const text = (await tool('create_product', { title: '', type: 'x' })).content[0]?.text ?? ''
  t.equal(text.split('not only whitespace').length, 2, text)
  t.match(text, /type/)
})

t.test('what was cut can be had in a way that the tool offers, and never by writing again', async (t) => {
  const { url, call } = await servedTools(t)
  const tool = caller(await connected(t, url))
  const note = 'x'.repeat(50_000)
  const hint = async (name: string, args: Record<string, unknown> = {}) =>
    String((await tool(name, args)).structuredContent?.meta?.truncated)
  const created = await hint('create_product', { title: 'Mug', options: { note } })
  t.match(created, /Left out: options\. .*do not call again/)
  t.equal((await call('GET', '/products')).body.meta.total, 1)
  t.match(await hint('list_products'), /smaller limit and the next page, include .* or fields/)
  await call('POST', '/print-profiles', { name: 'Offset', data: { note } })
  const profiles = await hint('list_print_profiles', { include_data: true })
  t.match(profiles, /include to select ids or fields/)
  t.notMatch(profiles, /limit|page/)
})

t.test(
  'what is asked for by name is given up to a higher limit, and beyond it nobody is sent in circles',
  async (t) => {
    const { url, call } = await servedTools(t)
    const tool = caller(await connected(t, url))
    const options = { note: 'x'.repeat(100_000) }
    await call('POST', '/products', { title: 'Mug', options })
    const cut = await tool('get_product', { id: 1 })
    t.match(cut.structuredContent?.meta?.truncated, /Left out: options\. Call again with fields/)
    t.strictSame((await tool('get_product', { id: 1, fields: 'options' })).structuredContent, {
      data: { options },
    })
    await call('PATCH', '/products/1', { options: { more: 'y'.repeat(150_000) } })
    const beyond = await tool('get_product', { id: 1, fields: 'options' })
    t.match(beyond.structuredContent?.meta?.truncated, /too large for any tool/)
  },
)
