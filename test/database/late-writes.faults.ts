// A write that was refused because the database did not get to it in time does not happen later, either.
import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, createConnection } from 'mysql2/promise'
import t, { type Test } from 'tap'
import { timeouts } from '../../src/db/timeouts.ts'
import { png } from '../support/fixtures/make-png.ts'
import { build, freshAddress, type ServerEngine } from '../support/hosts/build.ts'
import {
  type FaultyHost,
  faultyHost,
  hostPool,
  isUnavailable,
  type Kind,
  onEachKind,
  onEachPool,
} from '../support/hosts/faults.ts'
import { upload } from '../support/hosts/form.ts'
import { otherSessions } from '../support/peers/database-server.ts'

/** Until the server has done, or given up, all that it was asked to do. */
async function untilIdle(other: Connection): Promise<void> {
  for (;;) {
    if ((await otherSessions(other)).every(({ Command }) => Command === 'Sleep')) return
    await delay(20)
  }
}

interface Shop extends FaultyHost {
  /** Path of an uploaded asset. */
  asset: string
  address: string
  /** Another client of the database. */
  other: Connection
}

async function shop(t: Test, engine: ServerEngine, kind: Kind, audit = false): Promise<Shop> {
  const address = await freshAddress(t, engine)
  const dir = t.testdir({})
  const uploads = { dir, url: 'https://shop.example/uploads' }
  const host = await faultyHost(t, kind, { address, uploads, audit })
  await host.call('POST', '/products', { title: 'Mug' })
  await host.call('POST', '/products/1/views', { title: 'Front' })
  await host.call('POST', '/text-templates', { text: 'Old' })
  const asset = `/assets/${(await upload(host, '/assets', 'a.png', png())).body.data.key}`
  const other = await createConnection(address)
  t.teardown(() => other.end())
  return { ...host, asset, address, other }
}

type Request = Parameters<FaultyHost['call']>
const minimal = { prefer: 'return=minimal' }
const viewWrites: Request[] = [
  ['PATCH', '/views/1', { title: 'New' }],
  ['PATCH', '/views/1', { title: 'New' }, minimal],
  ['PATCH', '/views/1', { thumbnail: 'new.png', elements: [1] }, minimal],
]

t.test('writes refused while another client locks the rows are not done when it frees them', (t) =>
  onEachKind(t, async (t, kind, engine) => {
    const { call, asset, other } = await shop(t, engine, kind)
    const writes: Request[] = [
      ...viewWrites,
      ['POST', '/text-templates', { text: 'New' }],
      ['PATCH', '/text-templates/0', { text: 'New' }],
      ['DELETE', asset],
    ]
    const resources = ['/views/1', '/text-templates', '/assets']
    const read = () => Promise.all(resources.map(async (path) => (await call('GET', path)).body.data))
    const before = await read()
    await other.query('begin')
    for (const table of ['svc_views', 'options', 'svc_assets'])
      await other.query(`select * from wp_${table} for update`)
    await Promise.all(writes.map((write) => isUnavailable(t, () => call(...write))))
    await other.query('commit')
    await untilIdle(other)
    t.same(await read(), before)
    for (const write of writes) t.ok((await call(...write)).status < 300, 'works again')
  }),
)

t.test('writes refused while another client locks the table are not done when it frees it', (t) =>
  onEachKind(t, async (t, kind, engine) => {
    const { call, db, t: names, other } = await shop(t, engine, kind)
    const read = () => db.selectFrom(names.views).selectAll().execute()
    const before = await read()
    await other.query(`lock tables ${names.views} write`)
    await Promise.all(viewWrites.map((write) => isUnavailable(t, () => call(...write))))
    await other.query('unlock tables')
    await untilIdle(other)
    t.same(await read(), before)
    for (const write of viewWrites) t.equal((await call(...write)).status, 200, 'works again')
  }),
)

t.test(
  'writes refused while a table waits to be altered are known not to be done, and are not done afterwards',
  (t) =>
    onEachKind(t, async (t, kind, engine) => {
      // The server responds, however busy the machine is.
      timeouts.kill = 20_000
      const { call, db, t: names, other, address } = await shop(t, engine, kind)
      const read = () => db.selectFrom(names.views).select(['title', 'thumbnail', 'elements']).execute()
      const before = await read()
      const reader = await createConnection(address)
      t.teardown(() => reader.destroy())
      await reader.query('begin')
      await reader.query(`select * from ${names.views}`)
      const altered = other.query(`alter table ${names.views} add column note int`)
      await delay(200)
      const long = { elements: [{ title: 'x'.repeat(400_000) }] }
      const writes: Request[] = [...viewWrites, ['PATCH', '/views/1', long, minimal]]
      const responses = await Promise.all(writes.map((write) => call(...write)))
      for (const { status, body } of responses)
        t.match({ status, outcome: body.data.outcome }, { status: 503, outcome: undefined })
      await reader.query('rollback')
      await altered
      await untilIdle(other)
      t.same(await read(), before)
      for (const write of writes) t.equal((await call(...write)).status, 200, 'works again')
    }),
)

t.test('a write that gets no connection in time is known not to be done', (t) =>
  onEachPool(t, async (t, kind, engine) => {
    const address = await freshAddress(t, engine)
    const { database } = hostPool(t, kind, address, 1)
    const { call, t: names } = await build(t, { address, database })
    await call('POST', '/products', { title: 'Mug' })
    await call('POST', '/products/1/views', { title: 'Front' })
    const other = await createConnection(address)
    t.teardown(() => other.destroy())
    await other.query('begin')
    await other.query(`select * from ${names.views} for update`)
    const responses = await Promise.all(['A', 'B', 'C'].map((title) => call('PATCH', '/views/1', { title })))
    for (const { status, body } of responses.slice(1))
      t.match({ status, outcome: body.data.outcome }, { status: 503, outcome: undefined })
  }),
)

t.test('writes with an audit trail refused while a table is locked are not done when it is free', (t) =>
  onEachKind(t, async (t, kind, engine) => {
    const { call, db, t: names, other } = await shop(t, engine, kind, true)
    const entries = () => db.selectFrom(names.api_audit).selectAll().where('action', '=', 'updated').execute()
    const read = () => db.selectFrom(names.views).selectAll().execute()
    const before = await read()
    for (const table of [names.views, names.api_audit]) {
      await other.query(`lock tables ${table} write`)
      await Promise.all(viewWrites.map((write) => isUnavailable(t, () => call(...write))))
      await other.query('unlock tables')
      await untilIdle(other)
      t.same(await read(), before, `of ${table}`)
    }
    t.same(await entries(), [])
    for (const write of viewWrites) t.equal((await call(...write)).status, 200, 'works again')
    t.equal((await entries()).length, viewWrites.length)
  }),
)
