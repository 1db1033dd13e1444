// POST /mcp, by hand: what the server sends to clients that differ from the official one.
import t from 'tap'
import { token } from '../../support/hosts/build.ts'
import { servedTools } from '../../support/hosts/mcp.ts'

const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Sends a message as a client that waits ten seconds at most. */
async function send(url: string, message: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(10_000),
  })
  return {
    status: response.status,
    type: response.headers.get('content-type')?.split(';')[0],
    text: await response.text(),
  }
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const systemInfo = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'get_system_info', arguments: {} },
})

t.test('the response is one JSON body, whatever the client accepts', async (t) => {
  const { url } = await servedTools(t)
  for (const accept of ['application/json', 'application/json, text/event-stream', '*/*']) {
    const { status, type, text } = await send(url, ping, { accept })
    t.strictSame([status, type], [200, 'application/json'], accept)
    t.strictSame(JSON.parse(text), { jsonrpc: '2.0', id: 1, result: {} })
  }
  const { params, ...call } = systemInfo(2)
  const message = { ...call, params: { ...params, _meta: modern } }
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'get_system_info',
  }
  const { type, text } = await send(url, message, headers)
  t.equal(type, 'application/json')
  t.match(JSON.parse(text), { id: 2, result: { structuredContent: { data: { plugin: 'svc-api' } } } })
})

t.test('every request of a batch gets its response, even one that the batch cancels', async (t) => {
  const { url } = await servedTools(t)
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  const { text } = await send(url, [systemInfo(1), cancelled, systemInfo(2)])
  const responses = JSON.parse(text) as { id: number }[]
  t.strictSame(responses.map(({ id }) => id).sort(), [1, 2])
  t.match(await send(url, [cancelled]), { status: 202, text: '' })
})

t.test('the calls of a batch that only read are worked on one after the other', async (t) => {
  const open = { now: 0, most: 0 }
  const { url, call } = await servedTools(t, {
    before: (app) => {
      app.addHook('onRequest', async ({ url }) => {
        if (url.includes('/products')) open.most = Math.max(open.most, ++open.now)
      })
      app.addHook('onResponse', async ({ url }) => {
        if (url.includes('/products')) open.now--
      })
    },
  })
  await call('POST', '/products', { title: 'Mug', options: { note: 'x'.repeat(1_000_000) } })
  const params = { name: 'list_products', arguments: {} }
  const batch = Array.from({ length: 8 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }))
  const { text } = await send(url, batch)
  t.equal((JSON.parse(text) as unknown[]).length, 8)
  t.equal(open.most, 1)
})

t.test('two requests of one id harm nobody', async (t) => {
  const { url } = await servedTools(t)
  const { status } = await send(url, [systemInfo(1), systemInfo(1)])
  t.ok(status === 200 || status === 400, String(status))
  t.equal((await send(url, ping)).status, 200)
})

t.test('a subscription ends at once, since nothing is ever announced', async (t) => {
  const { url } = await servedTools(t)
  const message = {
    jsonrpc: '2.0',
    id: 3,
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true }, _meta: modern },
  }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
  const { text } = await send(url, message, headers)
  t.match(text, /"notifications":\{\}[\s\S]*"id":3,"result":/)
})
