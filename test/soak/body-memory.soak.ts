// Peak memory of one request with a body at the limit, by route, shape and engine: each in a fresh process. SVC_ONLY, an
// expression, selects some: SVC_ONLY='SQLite PATCH .* of designs'.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { connect } from '../../src/db/connect.ts'
import { run } from '../support/fixtures/schema.ts'
import { reads, routes, shapes, size } from '../support/hostile/large-bodies.ts'
import { build, type Engine, onEachEngine, type TestHost, token } from '../support/hosts/build.ts'
import type { Watch } from '../support/hosts/watched-host.ts'
import { startMariadb } from '../support/peers/mariadb.ts'

t.setTimeout(7_200_000)

/** The peak may exceed the memory before the request by so many times the body. */
const most = 8
const only = new RegExp(process.env.SVC_ONLY ?? '')

interface Cell {
  engine: Engine
  route: string
  shape: string
  status: number
  /** MiB. */
  peak: number
  /** Milliseconds. */
  busy: number
}

interface Sent {
  method: string
  path: string
  body?: string
}

/**
 * The response of a fresh host process and its peak: VmHWM of /proc/self/status after the request, from which VmRSS before
 * it is subtracted. The host has served small requests before.
 */
async function measured(
  host: TestHost,
  { method, path, body }: Sent,
): Promise<Omit<Cell, 'engine' | 'route' | 'shape'>> {
  const child = fork(
    join(import.meta.dirname, '../support/hosts/watched-host.ts'),
    [JSON.stringify({ database: host.address, mcp: true, isPatient: true })],
    { execArgv: [] },
  )
  try {
    const [address] = await once(child, 'message')
    const watch = async (): Promise<Watch> => {
      child.send('watch')
      return (await once(child, 'message'))[0]
    }
    const ask = async (method: string, path: string, body?: string) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const response = await fetch(`${address}/wp-json/svc/v1${path}`, {
        method,
        headers,
        body: body ?? null,
      })
      for await (const _ of response.body ?? []);
      return response.status
    }
    await ask('GET', '/categories')
    await ask('POST', '/categories', '{}')
    await watch()
    const before = await watch()
    const status = await ask(method, path, body)
    const { memory, busy } = await watch()
    return { status, busy, peak: memory - before.resident }
  } finally {
    child.disconnect()
    await once(child, 'exit')
  }
}

t.test('no body and no stored value takes more than eight times its size', async (t) => {
  const cells: Cell[] = []
  await onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine, ...(engine === 'MariaDB' && { address: await roomyDatabase(t) }) })
    await host.call('POST', '/products', { title: 'x' })
    await host.call('POST', '/products/1/views', { title: 'x' })
    await host.call('POST', '/shortcode-orders', { views: [{}] })
    const measure = async (shape: string, request: Sent) => {
      const route = `${request.method} ${request.path}`
      if (!only.test(`${engine} ${route} of ${shape}`)) return
      const cell = { engine, route, shape, ...(await measured(host, request)) }
      cells.push(cell)
      const label = `${route} of ${shape}: ${cell.status}, ${Math.round(cell.peak)} MiB, busy for ${Math.round(cell.busy)} ms`
      t.ok(cell.peak <= (most * size) / 2 ** 20, label)
      t.ok(cell.status !== 500, label)
    }
    for (const [shape, make] of Object.entries(shapes)) {
      const items = make(size)
      for (const [method, path, body] of routes) {
        await measure(shape, { method, path, body: body(items) })
        await dropCreated(host)
      }
      for (const path of reads) await measure(shape, { method: 'GET', path })
    }
  })
  const worst = (cells: Cell[]) => Math.round(Math.max(...cells.map(({ peak }) => peak)))
  for (const by of ['shape', 'route'] as const)
    for (const [name, group] of Map.groupBy(cells, (cell) => cell[by]))
      t.comment(`${name}: ${worst(group)} MiB`)
})

/** On a server that accepts such bodies in one statement. */
async function roomyDatabase(t: Test): Promise<string> {
  const server = await startMariadb({ flags: ['--max-allowed-packet=128M'] })
  t.teardown(() => server.stop())
  const { db, close } = await connect({ database: server.url('mysql') })
  await run(db, 'create database shop character set utf8mb4')
  await close()
  return server.url('shop')
}

/** Deletes what the POSTs have created, so that all cells meet the same rows. */
async function dropCreated({ db, t }: TestHost): Promise<void> {
  for (const table of [
    'products',
    'views',
    'designs',
    'print_profiles',
    'user_interfaces',
    'orders',
  ] as const)
    await db.deleteFrom(t[table]).where('ID', '>', 1).execute()
}
