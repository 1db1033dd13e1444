// Every operation, called over REST on one host and as a tool on its twin: the same data.
import type { AddressInfo } from 'node:net'
import type { InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { databaseOn } from '../../../src/db/connect.ts'
import { printJobsRepository } from '../../../src/print/print-jobs.ts'
import { font } from '../../support/fixtures/make-font.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { type OperationCall, operationCalls } from '../../support/fixtures/operation-calls.ts'
import { shopOrder } from '../../support/fixtures/shop.ts'
import { operationOf, token } from '../../support/hosts/build.ts'
import { filePart, form, formHeaders } from '../../support/hosts/form.ts'
import { caller, connected } from '../../support/hosts/mcp.ts'
import { pdf } from '../../support/hosts/print.ts'
import { httpServer } from '../../support/peers/servers.ts'
import { renderShop, textElement, viewWith } from '../../support/render/render-shop.ts'

interface Outcome {
  data: unknown
  meta?: unknown
}

const design = { product: [viewWith(textElement('Ada'))] }

/** A host with an order and print jobs, and the values that stand for names in the calls. */
async function twin(t: Test) {
  const router = await httpServer(t, (_request, response) => response.end(pdf))
  const { host, id, item } = await renderShop(t, 'SQLite', design, {
    mcp: true,
    printReady: { allow: [router.pair] },
  })
  const jobs = printJobsRepository(await databaseOn(host.connection))
  const names = new Map<string, unknown>([
    ['order', id],
    ['item', item],
    ['file_url', `${router.url}/order-7.pdf`],
  ])
  for (const job of ['job1', 'job2', 'job3']) names.set(job, (await jobs.create({})).guid)
  const meta: [string, string][] = [['_svc_data', JSON.stringify(design)]]
  const other = await shopOrder(host, 'posts', { items: [{ meta }] })
  const failed = await jobs.create({ order_id: other.id, order_type: 'wc', item_id: other.items[0] })
  await jobs.moveFromPending(failed.id, 'failed')
  names.set('failed_job', failed.guid)
  return { host, names }
}

/** The value with the names in its strings replaced. */
function named(value: unknown, names: Map<string, unknown>): unknown {
  const whole = typeof value === 'string' ? /^\{(\w+)\}$/.exec(value)?.[1] : undefined
  if (whole) return names.get(whole)
  if (typeof value === 'string') return value.replace(/\{(\w+)\}/g, (_match, name) => String(names.get(name)))
  if (Array.isArray(value)) return value.map((each) => named(each, names))
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, named(each, names)]))
}

/** What two hosts cannot have in common: ports, GUIDs, random names and times. */
const comparable = (outcome: Outcome): Outcome =>
  JSON.parse(
    JSON.stringify(outcome)
      .replace(/127\.0\.0\.1:\d+/g, 'host')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}/g, 'random')
      .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/g, 'time')
      .replace(/"modified":\d+/g, '"modified":0'),
  )

type Send = (call: OperationCall) => Promise<Outcome>

function overRest({ host, names }: Awaited<ReturnType<typeof twin>>): Send {
  return async ({ operation, request, file }) => {
    const { method, path, body } = named(request, names) as OperationCall['request']
    const parts = file && form([filePart(file.filename, file.content)])
    const sent: InjectOptions = {
      method: method as 'GET',
      url: new URL(path.replace(/^\//, ''), 'http://host/wp-json/svc/v1/').href.slice('http://host'.length),
      headers: { authorization: `Bearer ${token}`, ...(parts && formHeaders()) },
      ...(parts ? { payload: parts } : body === undefined ? {} : { payload: body as object }),
    }
    const response = await host.app.inject(sent)
    if (response.statusCode >= 300) throw new Error(`${operation}: ${response.payload}`)
    if (response.headers['content-type'] === 'image/png')
      return { data: response.rawPayload.toString('base64') }
    const { data, meta } = response.json()
    return meta === undefined ? { data } : { data, meta }
  }
}

async function overMcp(t: Test, { host, names }: Awaited<ReturnType<typeof twin>>): Promise<Send> {
  await host.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = host.app.server.address() as AddressInfo
  const client = await connected(t, `http://127.0.0.1:${port}/wp-json/svc/v1/mcp`)
  // From here on the client checks every result against the output schema of its tool.
  await client.listTools()
  const tool = caller(client)
  return async ({ operation, args, file }) => {
    const given = { ...(named(args, names) as typeof args), ...(file && uploadOf(file)) }
    const { content, structuredContent, isError } = await tool(toolOf(operation), given)
    if (isError) throw new Error(`${operation}: ${content[0]?.text}`)
    return structuredContent ?? { data: content[0]?.data }
  }
}

const uploadOf = ({ filename, content }: NonNullable<OperationCall['file']>) => ({
  filename,
  file: Buffer.from(content).toString('base64'),
})

/** One tool stands for the methods of the webhook. */
const toolOf = (operation: string) =>
  /^(put|patch)_print_file$/.test(operation) ? 'announce_print_file' : operation

t.test('every operation gives the same data over REST and as a tool', async (t) => {
  const [rest, mcp] = [await twin(t), await twin(t)]
  const senders = [
    { names: rest.names, send: overRest(rest) },
    { names: mcp.names, send: await overMcp(t, mcp) },
  ]
  const calls = operationCalls({
    picture: png({ width: 8, height: 8 }),
    font: font(),
    drawable: viewWith(textElement('Ada')),
  })
  for (const call of calls) {
    const outcomes = await Promise.all(
      senders.map(async ({ names, send }) => {
        const outcome = await send(call)
        const { id, key } = Object(outcome.data) as { id?: number; key?: string }
        if (call.operation === 'add_product_view') names.set('view', id)
        if (key) names.set('key', key).set('encoded_key', encodeURIComponent(key))
        return comparable(outcome)
      }),
    )
    t.strictSame(outcomes[1], outcomes[0], call.operation)
  }
  const called = new Set(calls.map(({ operation }) => operation))
  const operations = new Set(
    rest.host.routes.filter(({ method }) => method !== 'HEAD').map((route) => operationOf(route)),
  )
  t.strictSame([...called].sort(), [...operations].sort(), 'all were called')
})
