// POST /mcp, by the official client: which tools there are, what they do, and what an agent is told when it fails.
import t from 'tap'
import { png } from '../../support/fixtures/make-png.ts'
import { operationOf, token } from '../../support/hosts/build.ts'
import { caller, connected, servedTools as served } from '../../support/hosts/mcp.ts'

t.test('each operation is one tool, whatever its methods, with hints of what it does', async (t) => {
  const { url, routes } = await served(t)
  const client = await connected(t, url)
  const { tools } = await client.listTools()
  const operations = new Set(routes.filter(({ method }) => method !== 'HEAD').map(operationOf))
  for (const repeated of ['put_print_file', 'patch_print_file']) t.ok(operations.delete(repeated), repeated)
  t.strictSame(tools.map(({ name }) => name).sort(), [...operations].sort())
  const hints = (name: string) => tools.find((tool) => tool.name === name)?.annotations
  t.match(hints('list_products'), { readOnlyHint: true, openWorldHint: false })
  t.strictSame(hints('create_product'), { destructiveHint: false, openWorldHint: false })
  t.strictSame(hints('update_view'), { idempotentHint: true, openWorldHint: false })
  t.not(hints('clear_category')?.destructiveHint, false)
  t.not(hints('export_order')?.openWorldHint, false)
  t.strictSame(hints('announce_print_file'), { idempotentHint: true })
  t.strictSame(hints('set_print_profile_master'), { idempotentHint: true, openWorldHint: false })
})

t.test('the list of tools stays small', async (t) => {
  const { url } = await served(t)
  const bytes = async (query: string) => {
    const { tools } = await (await connected(t, url, query)).listTools()
    return Buffer.byteLength(JSON.stringify(tools.map(({ outputSchema: _, ...tool }) => tool)))
  }
  const whole = await bytes('')
  const reading = await bytes('?mode=read')
  t.comment(`all tools ${whole} bytes, reading ${reading}`)
  t.ok(whole < 48 * 1024, `${whole} bytes`)
  t.ok(reading < 15 * 1024, `${reading} bytes`)
})

t.test('an operation gives the same data as over REST, and its result fits the output schema', async (t) => {
  const { url, call } = await served(t)
  // The client checks every result against the output schema of its tool, once it has listed them.
  const client = await connected(t, url)
  await client.listTools()
  const tool = caller(client)
  const created = await tool('create_product', { title: 'Mug', options: { width: 10 } })
  const id = Number(created.structuredContent?.data.id)
  t.match((await call('GET', `/products/${id}`)).body.data, { title: 'Mug', options: { width: 10 } })
  await tool('add_product_view', { id, title: 'Front', elements: [{ type: 'text', source: 'Hi' }] })
  const read = [
    ['get_product', { id, include_views: true }, `/products/${id}?include_views=true`],
    ['list_products', { search: 'mug', limit: 5 }, '/products?search=mug&limit=5'],
    ['get_product', { id, fields: 'title' }, `/products/${id}?fields=title`],
    ['get_settings', { keys: ['svc_ae_cloud'] }, '/settings/values?keys[]=svc_ae_cloud'],
    ['get_settings_group', { tab: 'general' }, '/settings/groups/general?'],
    ['get_color_library', {}, '/color-library'],
    ['list_print_jobs', {}, '/print-jobs'],
  ] as const
  for (const [name, args, path] of read) {
    const result = await tool(name, args)
    if (result.structuredContent?.meta?.truncated) continue
    t.strictSame(result.structuredContent?.data, (await call('GET', path)).body.data, name)
  }
  t.notOk((await tool('update_settings', { body: { svc_api_fonts_enabled: false } })).isError)
  t.notOk(
    (await client.listTools()).tools.some(({ name }) => name === 'list_fonts'),
    'tools follow the toggles',
  )
  t.strictSame((await tool('delete_product', { id })).structuredContent?.data, { id, deleted: true })
})

t.test(
  'mode read offers nothing that writes, write nothing that deletes, and a client cannot ask for more',
  async (t) => {
    const { url } = await served(t, { mcp: { mode: 'write' } })
    const names = async (query: string) =>
      (await (await connected(t, url, query)).listTools()).tools.map(({ name }) => name)
    t.ok((await names('?mode=read')).every((name) => /^(list|get)_/.test(name)))
    const writing = await names('?mode=full')
    t.ok(writing.includes('update_product'))
    t.notOk(writing.some((name) => name.startsWith('delete_') || name === 'clear_category'))
    const tool = caller(await connected(t, url, '?mode=read'))
    t.match(await tool('create_product', { title: 'x' }), { isError: true })
  },
)

t.test('an error tells the agent what to do next', async (t) => {
  const { url } = await served(t)
  const tool = caller(await connected(t, url))
  const text = async (name: string, args = {}) => {
    const { isError, content } = await tool(name, args)
    t.ok(isError, name)
    return content[0]?.text
  }
  t.match(await text('get_product', { id: 99 }), /list_products/)
  t.match(await text('create_product', { title: '' }), /title[\s\S]*Correct/)
  t.match(await text('get_product'), /Missing parameters: id/)
  t.match(await text('get_product', { id: 1, colour: 1 }), /Unknown parameters: colour/)
  t.match(await text('no_such_tool'), /no tool/)
  t.match(await text('preflight_order'), /Did you mean get_order_preflight\?/)
})

t.test('a large result is cut and says how to go on', async (t) => {
  const { url, call } = await served(t)
  const { body } = await call('POST', '/products', { title: 'Large', options: { note: 'x'.repeat(60_000) } })
  const tool = caller(await connected(t, url))
  const one = await tool('get_product', { id: body.data.id })
  t.notOk(Object.hasOwn(one.structuredContent?.data ?? {}, 'options'))
  t.match(one.structuredContent?.meta?.truncated, /options.*fields/)
  for (let n = 0; n < 3; n++)
    await call('POST', '/products', { title: `P${n}`, options: { note: 'x'.repeat(20_000) } })
  const list = await tool('list_products')
  t.match(list.structuredContent?.meta?.truncated, /of 4 items.*limit/)
  t.ok(Number(list.content[0]?.text.length) < 50_000)
})

t.test('an upload carries its file in base64, small or large', async (t) => {
  const { url } = await served(t)
  const tool = caller(await connected(t, url))
  for (const [side, filename] of [
    [4, 'small.png'],
    [700, 'large.png'],
  ] as const) {
    // Noise, which does not compress.
    const file = png({ width: side, height: side }).toString('base64')
    const { structuredContent, isError, content } = await tool('upload_asset', { file, filename })
    t.notOk(isError, content[0]?.text ?? '')
    t.match(structuredContent?.data, { mime_type: 'image/png' })
  }
})

t.test('it needs the token and a known origin; GET is 405 with Allow', async (t) => {
  const { url } = await served(t, { mcp: { origins: ['https://agent.example'] } })
  const send = (headers: Record<string, string>, method = 'POST') =>
    fetch(url, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
      ...(method === 'POST' ? { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' } : {}),
    })
  t.equal((await send({ authorization: '' })).status, 401)
  t.equal((await send({ origin: 'https://evil.example' })).status, 403)
  t.equal((await send({ origin: 'https://agent.example' })).status, 200)
  t.equal((await send({ origin: 'https://shop.example' })).status, 200)
  const get = await send({}, 'GET')
  t.equal(get.status, 405)
  t.equal(get.headers.get('allow'), 'POST')
  t.match(await get.json(), { success: false, code: 'rest_no_route', data: { status: 405 } })
})

t.test('it is off unless the host asks for it', async (t) => {
  const { url } = await served(t, { mcp: false })
  const response = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  t.equal(response.status, 404)
})

t.test('bytes that are no JSON, and large messages without a file, are refused', async (t) => {
  const { url } = await served(t)
  const send = async (body: string) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    return (await fetch(url, { method: 'POST', headers, body })).status
  }
  t.equal(await send('{'), 400)
  t.equal(await send(`{"a":"${'x'.repeat(600_000)}"`), 400)
  t.equal(await send(`{"a":"${'x'.repeat(600_000)}"}`), 413)
})

t.test('a message with more than 500,000 values is refused before it is parsed', async (t) => {
  const { url } = await served(t)
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const send = async (items: string) => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":[${items}1]}}}`
    const start = process.cpuUsage()
    const response = await fetch(url, { method: 'POST', headers, body })
    const { user, system } = process.cpuUsage(start)
    return { status: response.status, text: await response.text(), cpu: (user + system) / 1000 }
  }
  const large = await send('{},'.repeat(5_000_000))
  t.match(large, { status: 413, text: /500,000 values/ })
  t.ok(large.cpu < 1500, `${large.cpu} ms, where parsing takes several seconds`)
  t.match(await send('{},'.repeat(160_000)), { status: 200 })
  const names = Array.from({ length: 130_000 }, (_, at) => `"n${at}":1`)
  t.match(await send(`{${names}},`), { status: 413, text: /500,000 values/ })
})

t.test('arguments that are nested too deeply are refused by name, however deep they are', async (t) => {
  const { url, call } = await served(t)
  const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
  const send = async (depth: number, mark = '') => {
    const call = `{"name":"create_product","arguments":{"title":"x","options":${nested(depth)}${mark}}}`
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${call}}`
    return (await fetch(url, { method: 'POST', headers, body })).text()
  }
  t.notMatch(await send(500), /"isError":true/)
  for (const depth of [520, 5000, 200_000]) {
    const text = await send(depth)
    t.match(text, /nested deeper than 512/, `${depth} levels`)
    t.ok(text.length < 1000)
  }
  t.match(await send(5000, ',"id":12345678901234567890'), /nested deeper than 512|Unknown parameters/)
  t.equal((await call('GET', '/products')).body.data.length, 1)
})

t.test(
  'a mode that does not exist is refused and does not mean all tools; a request without body is 400',
  async (t) => {
    const { url } = await served(t)
    const send = async (query: string, body?: string) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      }
      const response = await fetch(url + query, { method: 'POST', headers, ...(body && { body }) })
      return [response.status, ((await response.json()) as { code: string }).code]
    }
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    for (const query of ['?mode=raed', '?mode=', '?mode=read&mode=read']) {
      t.strictSame(await send(query, list), [400, 'rest_invalid_param'], query)
    }
    t.strictSame(await send(''), [400, 'rest_invalid_json'])
    t.strictSame(await send('', `[${Array(21).fill(list).join()}]`), [413, 'svc_body_too_large'])
  },
)

t.test('an id that would lead to another operation is refused', async (t) => {
  const { url } = await served(t)
  const tool = caller(await connected(t, url))
  for (const id of ['', '.', '..', null]) {
    t.match(
      await tool('get_product', { id }),
      { isError: true, content: [{ text: /id must not be/ }] },
      String(id),
    )
  }
})

t.test('numbers that a double would change stay as they are', async (t) => {
  const { url, call } = await served(t)
  const send = async (name: string, args: string) => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    return (await fetch(url, { method: 'POST', headers, body })).text()
  }
  const options = '{"n":12345678901234567890}'
  t.match(await send('create_product', `{"title":"Exact","options":${options}}`), options)
  t.match((await call('GET', '/products/1')).text, options)
  t.match(await send('get_product', '{"id":1}'), options)
})

t.test('a result of more than 8 MiB is not parsed to be cut, and says how to go on', async (t) => {
  const { url, call } = await served(t)
  const { id } = (await call('POST', '/products', { title: 'Large' })).body.data
  for (let views = 0; views < 2; views++)
    await call('POST', `/products/${id}/views`, { title: 'Front', elements: ['x'.repeat(5 * 2 ** 20)] })
  const tool = caller(await connected(t, url))
  t.match(await tool('get_product', { id, include_views: true }), {
    isError: true,
    content: [{ text: /^The result has \d+ bytes\. Call again with fields.* REST\.$/ }],
  })
  const view = await tool('get_view', { id: 1 })
  t.match(view.structuredContent?.meta?.truncated, /elements/)
})
