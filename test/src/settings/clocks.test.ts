// Rows are compared by the clock of the database, whatever the host's clock says.
import { type RawBuilder, sql } from 'kysely'
import t from 'tap'
import { databaseOn } from '../../../src/db/connect.ts'
import { databaseTime } from '../../../src/db/time.ts'
import { fontChanges } from '../../../src/library/font-changes.ts'
import { namedTokens } from '../../../src/settings/named-tokens.ts'
import { optionsStore } from '../../../src/settings/option-rows.ts'
import { build, onEachEngine, type TestHost } from '../../support/hosts/build.ts'

/** The database with a clock that differs from the host's by so many seconds. */
async function databaseAt(host: TestHost, seconds: number) {
  const database = await databaseOn(host.connection)
  const now: RawBuilder<number> = sql`(${database.dialect.now} + ${sql.lit(seconds)})`
  return { ...database, dialect: { ...database.dialect, now } }
}

const hostTime = () => Math.floor(Date.now() / 1000)

t.test('namedTokens: a token expires by the clock of the database', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const tokens = namedTokens(await databaseAt(host, 0))
    const token = await tokens.create({ name: 'agent', scopes: ['read'], expiresAt: hostTime() + 1800 })
    t.ok(tokens.find(await tokens.read(), token))
    const ahead = namedTokens(await databaseAt(host, 3600))
    t.equal(ahead.find(await ahead.read(), token), undefined)
    const behind = namedTokens(await databaseAt(host, -3600))
    t.ok(behind.find(await behind.read(), token))
  }),
)

t.test('namedTokens: the last use is noted where the clock of the database is ahead or behind', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const { db, t: tables } = host
    for (const lead of [3600, -3600]) {
      const tokens = namedTokens(await databaseAt(host, lead))
      const token = await tokens.create({ name: `agent ${lead}`, scopes: ['read'] })
      const used = hostTime() + lead - 120
      await db.updateTable(tables.api_tokens).set({ last_used_at: used }).execute()
      t.ok(tokens.find(await tokens.read(), token))
      for (let i = 0; i < 100 && (await lastUse(`agent ${lead}`)) === used; i++)
        await new Promise((resolve) => setTimeout(resolve, 20))
      t.ok(Math.abs((await lastUse(`agent ${lead}`)) - hostTime() - lead) < 60)
    }
    async function lastUse(name: string) {
      const query = db.selectFrom(tables.api_tokens).select('last_used_at').where('name', '=', name)
      return Number((await query.executeTakeFirstOrThrow()).last_used_at)
    }
  }),
)

t.test('fontChanges: a change of another host is repaired once it is 30 seconds old for the database', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const database = await databaseAt(host, 3600)
    const options = optionsStore(database, async () => {})
    const repaired: string[] = []
    const families = { find: async () => undefined, offer: async (name: string) => void repaired.push(name) }
    const store = (since: number) =>
      options.update('svc_fonts_unfinished', () =>
        JSON.stringify({ 'Font/0a0a0a0a-0000-4000-8000-000000000000': since }),
      )
    const repair = () => fontChanges(options, () => databaseTime(database), families).repair()
    await store(hostTime() + 3600 - 5)
    await repair()
    t.strictSame(repaired, [])
    await store(hostTime() + 3600 - 40)
    await repair()
    t.strictSame(repaired, ['Font'])
  }),
)
