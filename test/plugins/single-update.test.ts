// A PATCH of plain columns is one UPDATE, and the rows that it matched decide whether the resource exists.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createPool } from 'mysql2/promise'
import t, { type Test } from 'tap'
import type { SqlSpan } from '../../src/core/trace.ts'
import { build, freshAddress, onEachEngine, type TestHost } from '../support/hosts/build.ts'
import { onServers } from '../support/hosts/fresh-host.ts'

const prefer = { prefer: 'return=minimal' }

/** The statements on tables of the shop during `work`. */
async function statementsOf(
  t: Test,
  { t: tables }: TestHost,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const seen: string[] = []
  const record = (span: unknown) => {
    const { statement } = span as SqlSpan
    // MariaDB is told how long it may take.
    const [, command] = /^(?:set statement max_statement_time = [\d.]+ for )?(\w+)/.exec(statement) ?? []
    if (!statement.includes(tables.options)) seen.push(String(command))
  }
  subscribe('svc-api:sql', record)
  t.teardown(() => unsubscribe('svc-api:sql', record))
  await work()
  unsubscribe('svc-api:sql', record)
  return seen
}

async function withView(host: TestHost): Promise<TestHost> {
  await host.call('POST', '/products', { title: 'Mug' })
  await host.call('POST', '/products/1/views', { title: 'Front' })
  return host
}

t.test('a PATCH of plain columns that is not read back is a single UPDATE, also if it changes nothing', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await withView(await build(t, { engine }))
    for (const body of [
      { title: 'Back' },
      { title: 'Back' },
      { thumbnail: 'a.png' },
      { title: 'Side', elements: [1] },
    ]) {
      const sent = await statementsOf(t, host, async () => {
        t.match(await host.call('PATCH', '/views/1', body, prefer), {
          status: 200,
          body: { data: { id: 1 } },
        })
      })
      const single = engine === 'MySQL' ? ['begin', 'update', 'commit'] : ['update']
      t.strictSame(sent, single, JSON.stringify(body))
    }
    t.match((await host.call('GET', '/views/1')).body.data, {
      title: 'Side',
      thumbnail: 'a.png',
      elements: [1],
    })
    t.equal((await host.call('PATCH', '/views/2', { title: 'Back' }, prefer)).status, 404)
  }),
)

onServers(
  'on a pool that counts changed rows only, one SELECT tells whether the view exists',
  async (t, engine) => {
    const address = await freshAddress(t, engine)
    const pool = createPool({ uri: address, charset: 'utf8mb4', flags: ['-FOUND_ROWS'] })
    t.teardown(() => pool.end())
    const host = await withView(await build(t, { engine, address, database: pool }))
    const same = () => host.call('PATCH', '/views/1', { title: 'Front' }, prefer)
    const sent = await statementsOf(t, host, async () => {
      t.match(await same(), { status: 200, body: { data: { id: 1 } } })
    })
    t.strictSame(
      sent.filter((command) => command !== 'begin' && command !== 'commit'),
      ['update', 'select'],
    )
    t.equal((await host.call('PATCH', '/views/2', { title: 'Front' }, prefer)).status, 404)
  },
)
