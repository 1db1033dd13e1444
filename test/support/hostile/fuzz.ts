// What must hold for every response to any request: no failure, a declared schema, and what was written can be read.
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import tap, { type Test } from 'tap'
import { errorTable } from '../../../plugins/index.ts'
import { mergePatch } from '../../../src/json/values.ts'
import { anyRequest, type Draft, root } from '../fixtures/arbitrary-requests.ts'
import { build, onEachEngine, type TestHost, token } from '../hosts/build.ts'
import { exchange, listen, parseResponses } from './raw-http.ts'

interface RawResult {
  status: number
  headers: Record<string, unknown>
  text: string
}

/** What the host's HTTP parser and router reject before a route is found. */
const beforeRoutes = new Set(['FST_ERR_BAD_URL', 'Client Error'])

/** The 5xx that a request may get: the host of the test has neither an export service nor the renderer. */
const notConfigured = /"code":"(svc_export_not_configured|svc_renderer_off)"/
/** The same of a HEAD request, whose response has no body that names the code. */
const [rendererOff] = errorTable.svc_renderer_off

/** Throws unless the API may send this response. Returns its parsed body. */
function assertResponse({ method }: Pick<Draft, 'method'>, { status, headers, text }: RawResult) {
  const isUnavailable = notConfigured.test(text) || (method === 'HEAD' && status === rendererOff)
  assert.ok((status >= 200 && status < 500) || isUnavailable, `status ${status}: ${text}`)
  if (method === 'HEAD' || status === 304) {
    assert.equal(text, '', `a body with ${method} ${status}`)
    return undefined
  }
  assert.match(String(headers['content-type']), /^application\/json/)
  const body = JSON.parse(text)
  if (beforeRoutes.has(body.code ?? body.message) && status === 400) return undefined
  assert.ok(headers['x-request-id'])
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(body.success, status < 400)
  if (status < 400) assert.ok('data' in body)
  else {
    // An unreadable value cannot be merged into.
    const unmergeable = body.code === 'svc_unreadable_value' && status === 409
    assert.ok(
      unmergeable || errorTable[body.code as keyof typeof errorTable]?.[0] === status,
      `code ${body.code}`,
    )
    assert.equal(body.data.status, status)
    assert.ok(body.message.endsWith('.'), body.message)
    if (status === 401) assert.equal(headers['www-authenticate'], 'Bearer')
  }
  return body
}

async function ask({ app }: TestHost, draft: Draft): Promise<RawResult> {
  const { statusCode, headers, payload } = await app.inject({
    method: draft.method as 'GET',
    url: draft.path,
    headers: draft.headers,
    ...(draft.body === undefined ? {} : { payload: draft.body as NonNullable<InjectOptions['payload']> }),
  })
  return { status: statusCode, headers, text: payload }
}

const asJson = (value: unknown) => JSON.parse(JSON.stringify(value))
const asSet = (ids: number[]) => [...new Set(ids)].sort((a, b) => a - b)

/** How each property must be read after it was written. */
const readsAs: Record<string, (sent: never, draft: Draft, now: unknown) => unknown> = {
  title: (sent: string, { path }) => (/v1\/(?:products|views)/.test(path) ? sent : sent.trim()),
  text: (sent) => sent,
  designs: asJson,
  name: (sent: string) => sent.trim(),
  data: asJson,
  parent_id: (sent) => sent,
  thumbnail: (sent) => sent,
  type: (sent) => sent,
  product_id: (sent) => sent,
  elements: asJson,
  // The merged value already contains the patch, so that merging again changes nothing.
  options: (sent, { method, path }, now) => {
    const merges =
      method === 'PATCH' && /v1\/(?:products|views)/.test(path) && !/merge=(?:0|false)/.test(path)
    return merges && !isDeepStrictEqual(now, asJson(sent)) ? mergePatch(now, asJson(sent)) : asJson(sent)
  },
  categories: asSet,
  products: asSet,
}

async function assertKept(host: TestHost, draft: Draft, response: RawResult, data: Record<string, unknown>) {
  const { location } = response.headers
  // Other actions than creating and updating return what they changed, at a URL that cannot be read.
  if (draft.method === 'POST' && typeof location !== 'string') return
  const path = typeof location === 'string' ? location.slice(location.indexOf(root)) : draft.path
  const headers = { authorization: `Bearer ${token}` }
  const read = await ask(host, { method: 'GET', path: path.replace(/\?.*|$/, '?include_data=1'), headers })
  assert.equal(read.status, 200)
  const resource = JSON.parse(read.text).data
  // A design category has a response of its own form.
  const now = { ...resource, ...resource.category_data }
  for (const [name, value] of Object.entries(draft.sent as object)) {
    const expected = readsAs[name]
    if (expected && name in now) assert.deepEqual(now[name], expected(value as never, draft, now[name]), name)
  }
  for (const name of Object.keys(resource)) if (name in data) assert.deepEqual(data[name], now[name], name)
}

/** Restores missing rows 1 to 6, so that the ids in requests keep existing. */
async function restock({ db, t }: TestHost): Promise<void> {
  const others = {
    products: { user_id: 0 },
    categories: { user_id: 0 },
    views: { title: 'View', product_id: 1, view_order: 0 },
    designs: { title: 'Designs', parent_id: 0, category_order: 0 },
    pricing_rules: { name: 'Rule', data: '{}' },
    print_profiles: { name: 'Profile', data: '{}', is_master: 0 },
    user_interfaces: { name: 'Layout', data: '{}', is_default: 0 },
    orders: { customer_name: 'Ada', customer_mail: 'ada@shop.example', views: '[{}]', print_order: '{}' },
    print_jobs: { guid: 'a-job', details: '{}', data: '{}', status: 'pending' },
  }
  for (const [table, columns] of Object.entries(others) as [keyof typeof others, object][]) {
    const present = await db.selectFrom(t[table]).select('ID').where('ID', '<=', 6).execute()
    for (let id = 1; id <= 6; id++) {
      if (present.some((row) => row.ID === id)) continue
      const row = { ...columns, ID: id, ...('user_id' in columns ? { title: `Number ${id}` } : {}) }
      await db
        .insertInto(t[table])
        .values(row as never)
        .execute()
    }
  }
}

/** Sends `runs` requests sequentially, each on the data that the previous ones have left. */
export async function fuzz(host: TestHost, runs: number, seed: number): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  await restock(host)
  await fc.assert(
    fc.asyncProperty(anyRequest(host.routes), async (draft) => {
      const response = await ask(host, draft)
      counts[response.status] = (counts[response.status] ?? 0) + 1
      const body = assertResponse(draft, response)
      const wrote = (draft.method === 'POST' || draft.method === 'PATCH') && response.status < 300
      if (wrote && draft.sent && response.headers['idempotency-replayed'] === undefined)
        await assertKept(host, draft, response, body.data)
      if (draft.method === 'DELETE' && response.status === 200) await restock(host)
    }),
    { numRuns: runs, seed, interruptAfterTimeLimit: 3_600_000, markInterruptAsFailure: true },
  )
  return counts
}

/** How the length of a body is declared; the last four are wrong or contradictory. */
const framings = ['length', 'chunked', 'shorter', 'longer', 'twice', 'both'] as const
type Framing = (typeof framings)[number]
const isHonest = (framing: Framing) => framing === 'length' || framing === 'chunked'

function bytesOf({ method, path, headers, body = '' }: Draft, framing: Framing, isLast: boolean): Buffer {
  const content = Buffer.from(body)
  const { length } = content
  const told = {
    length: [`content-length: ${length}`],
    shorter: [`content-length: ${Math.max(0, length - 3)}`],
    longer: [`content-length: ${length + 9}`],
    twice: [`content-length: ${length}`, `content-length: ${length + 1}`],
    both: [`content-length: ${length}`, 'transfer-encoding: chunked'],
    chunked: ['transfer-encoding: chunked'],
  }[framing]
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const lines = ['host: shop.example', ...fields, ...told, `connection: ${isLast ? 'close' : 'keep-alive'}`]
  const head = `${method} ${encodeURI(path.toWellFormed()).replaceAll('%25', '%')} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
  const chunks = [`${length.toString(16)}\r\n`, content, length > 0 ? '\r\n0\r\n\r\n' : '\r\n']
  const rest = framing === 'chunked' || framing === 'both' ? chunks : [content]
  return Buffer.concat([Buffer.from(head, 'latin1'), ...rest.map((part) => Buffer.from(part))])
}

/** The same over sockets: pipelined requests, whole or in two chunks, with right or wrong lengths. */
export async function fuzzSocket(
  host: TestHost,
  runs: number,
  seed: number,
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  await restock(host)
  const port = await listen(host.app)
  const framing = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<Framing>('length', 'chunked') },
    { weight: 1, arbitrary: fc.constantFrom(...framings) },
  )
  // A response to HEAD looks like a truncated body; `inject` has tested it.
  const request = fc.tuple(anyRequest(host.routes), framing).filter(([{ method }]) => method !== 'HEAD')
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 4 }), async (drafts) => {
      const parts = drafts.map(([draft, how], at) => bytesOf(draft, how, at === drafts.length - 1))
      const honest = drafts.every(([, how]) => isHonest(how))
      const responses = parseResponses(await exchange(port, Buffer.concat(parts), !honest))
      for (const { status, headers, body } of responses) {
        counts[status] = (counts[status] ?? 0) + 1
        assertResponse({ method: 'GET' }, { status, headers, text: body })
      }
      // The host's parser may reject invalid requests, and then closes the connection.
      const ended = responses.some(({ headers }) => headers.connection === 'close')
      if (honest)
        assert.ok(responses.length === drafts.length || ended, `${responses.length} of ${drafts.length}`)
      await restock(host)
    }),
    { numRuns: runs, seed },
  )
  return counts
}

/** A rule on each engine, in a host with an uploads folder. */
export function fuzzed(name: string, run: (t: Test, host: TestHost) => Promise<void>): void {
  tap.test(name, (t) =>
    onEachEngine(t, async (t, engine) => {
      const uploads = { dir: t.testdir({}), url: 'https://shop.example/uploads' }
      await run(t, await build(t, { engine, uploads }))
    }),
  )
}
