// The X-Request-Id of a response identifies its lines in the host's log, whoever chose the id.
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import t, { type Test } from 'tap'
import { newProduct } from '../support/fixtures/rows.ts'
import { build, type TestResponse } from '../support/hosts/build.ts'

type Line = Record<string, unknown>

async function hostWith(t: Test, server: FastifyServerOptions, before?: (app: FastifyInstance) => void) {
  const lines: Line[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const host = await build(t, {
    server: { ...server, logger: { level: 'debug', stream } },
    ...(before ? { before } : {}),
  })
  await newProduct(host)
  await host.db.updateTable(host.t.products).set({ options: '{broken' }).execute()

  /** Responses from every path through our routes, each with its log lines. */
  async function responses(headers: Record<string, string | undefined> = {}) {
    const seen: { response: TestResponse; lines: Line[] }[] = []
    for (const [method, path, more] of [
      ['GET', '/products'],
      ['GET', '/products', { authorization: undefined }],
      ['GET', '/nothing'],
      ['GET', '/products/99'],
      ['GET', '/products/1'],
      ['PUT', '/products'],
      ['HEAD', '/system'],
    ] as [string, string, Record<string, undefined>?][]) {
      lines.length = 0
      const response = await host.call(method, path, undefined, { ...headers, ...more })
      await new Promise((resolve) => setImmediate(resolve))
      seen.push({ response, lines: [...lines] })
    }
    return seen
  }
  return { ...host, responses }
}

/** Asserts that each response's id is in all its log lines, and in the body of an error. */
async function expectOneId(
  t: Test,
  { responses }: Awaited<ReturnType<typeof hostWith>>,
  label = 'reqId',
  headers: Record<string, string> = {},
): Promise<string[]> {
  const ids: string[] = []
  for (const { response, lines } of await responses(headers)) {
    const id = String(response.headers['x-request-id'])
    t.ok(lines.length >= 2, 'incoming request, request completed')
    for (const line of lines) t.equal(String(line[label]), id)
    if (response.status === 500) t.equal(response.body.data.request_id, id)
    ids.push(id)
  }
  return ids
}

t.test('the id of a response is that of its lines in the log', async (t) => {
  const ids = await expectOneId(t, await hostWith(t, {}))
  t.equal(new Set(ids).size, ids.length)
})

t.test('ids that the host generates are used, whatever they are', async (t) => {
  let count = 100
  const makers: Record<string, () => string | number> = {
    text: () => `shop-${count++}`,
    number: () => count++,
    uuid: () => randomUUID(),
  }
  for (const [kind, genReqId] of Object.entries(makers)) {
    const made = await hostWith(t, { genReqId: genReqId as () => string, requestIdLogLabel: 'rid' })
    t.match(await expectOneId(t, made, 'rid'), kind === 'text' ? [/^shop-\d+$/] : [/^[0-9a-f-]+$/])
    const late = await hostWith(t, {}, (app) => void app.setGenReqId(genReqId as () => string))
    await expectOneId(t, late)
  }
})

t.test('the request id header of the host is used', async (t) => {
  for (const requestIdHeader of ['x-trace', 'x-request-id', 'request-id']) {
    const host = await hostWith(t, { requestIdHeader })
    const ids = await expectOneId(t, host, 'reqId', { [requestIdHeader]: 'trace-7' })
    t.ok(ids.every((id) => id === 'trace-7'))
    await expectOneId(t, host)
  }
})

t.test('a valid id of the caller is kept, and logged together with the id of the host', async (t) => {
  const { responses } = await hostWith(t, { genReqId: () => 'shop-1' })
  for (const { response, lines } of await responses({ 'x-request-id': 'mine' })) {
    t.equal(response.headers['x-request-id'], 'mine')
    if (response.status === 500) t.equal(response.body.data.request_id, 'mine')
    t.ok(lines.every(({ reqId }) => reqId === 'shop-1'))
    const [incoming, ...more] = lines
    t.equal(incoming?.msg, 'incoming request')
    t.ok(more.length > 0 && more.every(({ request_id }) => request_id === 'mine'))
  }
})

t.test(
  'an id of the host that is not a valid header value is replaced, and the log contains both',
  async (t) => {
    const { responses } = await hostWith(t, { genReqId: () => 'shop 1\r\nset-cookie: x' })
    for (const { response, lines } of await responses({ 'x-request-id': 'no <b>id</b>' })) {
      const id = response.headers['x-request-id']
      t.match(id, /^[0-9a-f-]{36}$/)
      t.equal(lines.at(-1)?.request_id, id)
      t.notOk(response.headers['set-cookie'])
    }
  },
)

t.test('a custom logger and no logger work as well', async (t) => {
  const seen: unknown[] = []
  const own = () => {
    const log = (line: unknown) => void seen.push(line)
    const levels = { fatal: log, error: log, warn: log, info: log, debug: log, trace: log, silent: log }
    return { ...levels, level: 'info', child: own }
  }
  for (const server of [{ loggerInstance: own() }, { logger: false }] as FastifyServerOptions[]) {
    const { call } = await build(t, { server })
    const { headers } = await call('GET', '/nothing', undefined, { 'x-request-id': 'mine' })
    t.equal(headers['x-request-id'], 'mine')
  }
  t.ok(seen.length > 0)
})
