// What a host leaves in the outbox when it removes all of its webhooks.
import type { Test } from 'tap'
import t from 'tap'
import { endLeftoverEvents } from '../../../src/changes/changes.ts'
import {
  build,
  type Engine,
  engineNames,
  freshAddress,
  onEachEngine,
  type TestHost,
} from '../../support/hosts/build.ts'
import { watched } from '../../support/hosts/statements.ts'
import { create, eventually, receiver, rows, statesOf } from '../../support/hosts/webhooks.ts'

const daysAgo = (days: number) => Math.floor(Date.now() / 1000) - days * 86_400 - 60

/** A database with two pending events, one of them older than three days, and no server. */
async function leftBehind(t: Test, engine: Engine): Promise<TestHost> {
  const { endpoint } = await receiver(t, (response) => response.writeHead(500).end())
  const host = await build(t, { engine, webhooks: [endpoint] })
  for (const title of ['A', 'B']) await create(host, title)
  await eventually(async () => (await rows(host)).every(({ attempts }) => attempts === 1))
  await host.app.close()
  const [row] = await rows(host)
  await host.db
    .updateTable(host.t.api_outbox)
    .set({ created_at: daysAgo(3) })
    .where('ID', '=', row?.ID ?? 0)
    .execute()
  return host
}

/** Ten minutes pass for the timers of this process whenever the returned function is called. */
function tenMinutes(t: Test): () => Promise<void> {
  const looks = new Map<unknown, () => unknown>()
  const { setInterval: begin, clearInterval: end } = globalThis
  t.intercept(globalThis, 'setInterval', {
    value: (look: () => unknown, milliseconds: number) => {
      const timer = begin(look, milliseconds)
      if (milliseconds === 600_000) looks.set(timer, look)
      return timer
    },
  })
  t.intercept(globalThis, 'clearInterval', {
    value: (timer: NodeJS.Timeout) => {
      looks.delete(timer)
      end(timer)
    },
  })
  return async () => {
    for (const look of looks.values()) await look()
  }
}

for (const options of [{}, { audit: true }, { webhooks: [] }]) {
  t.test(`the events end after three days, with ${JSON.stringify(options)}`, async (t) => {
    const pass = tenMinutes(t)
    for (const engine of engineNames) {
      const host = await leftBehind(t, engine)
      await build(t, { engine, address: host.address, ...options })
      await pass()
      t.same(await statesOf(host), ['dead', 'pending'], engine)
      t.match((await rows(host))[0]?.error, /No process has this endpoint/)
    }
  })
}

t.test('a server that goes on running ends and removes them all, and then looks no more', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await leftBehind(t, engine)
    const { db, t: names, connection } = host
    const left = endLeftoverEvents(connection, (_details, message) => t.fail(message), 20)
    t.teardown(left.stop)
    await eventually(async () => (await statesOf(host)).join() === 'dead,pending')
    await db
      .updateTable(names.api_outbox)
      .set({ created_at: daysAgo(3) })
      .execute()
    await eventually(async () => (await statesOf(host)).join() === 'dead,dead')
    await db
      .updateTable(names.api_outbox)
      .set({ done_at: daysAgo(30) })
      .execute()
    await left.ended
    t.same(await rows(host), [])
  }),
)

t.test('a database that fails is tried again, and warned about', async (t) => {
  const host = await leftBehind(t, 'SQLite')
  const { schema } = host.db
  const messages: string[] = []
  await schema.alterTable(host.t.api_outbox).renameColumn('state', 'other').execute()
  const left = endLeftoverEvents(host.connection, (_details, message) => messages.push(message), 20)
  t.teardown(left.stop)
  await eventually(() => messages.length > 1)
  t.match(messages[0], /could not be removed/)
  await schema.alterTable(host.t.api_outbox).renameColumn('other', 'state').execute()
  await eventually(async () => (await statesOf(host)).join() === 'dead,pending')
})

t.test(
  'a host that never had webhooks sends one statement about them, and none without the table',
  async (t) => {
    const pass = tenMinutes(t)
    for (const engine of engineNames) {
      const address = await freshAddress(t, engine)
      const first = await build(t, { engine, address })
      await first.app.close()
      const about = async () => {
        const host = await watched(t, { engine, address, migrate: false })
        const later = await host.statementsOf(async () => {
          for (let i = 0; i < 3; i++) await pass()
        })
        return [...host.atStart, ...later.map(({ sql }) => sql)].filter((sql) =>
          /from .\w+svc_api_outbox\b/.test(sql),
        )
      }
      t.equal((await about()).length, 1, engine)
      await first.db.schema.dropTable(first.t.api_outbox).execute()
      t.same(await about(), [], engine)
    }
  },
)
