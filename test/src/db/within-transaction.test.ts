// Whatever happens in a transaction, none of its statements runs outside of it.
import type { Kysely } from 'kysely'
import t, { type Test } from 'tap'
import { connect, type Database, databaseOn } from '../../../src/db/connect.ts'
import type { Tables } from '../../../src/db/tables.ts'
import { migrate } from '../../../src/upkeep/set-up.ts'
import { freshAddress, onEachEngine } from '../../support/hosts/build.ts'

async function databaseAt(t: Test, address: string): Promise<Database> {
  await migrate({ database: address })
  const connection = await connect({ database: address })
  t.teardown(() => connection.close())
  return databaseOn(connection)
}

const inserted = ({ t }: Database, trx: Kysely<Tables>, title: string) =>
  trx.insertInto(t.categories).values({ title, user_id: 0 }).executeTakeFirstOrThrow()

async function titles({ db, t }: Database): Promise<(string | null)[]> {
  const rows = await db.selectFrom(t.categories).select('title').orderBy('ID').execute()
  return rows.map(({ title }) => title)
}

t.test('statements that a transaction sends at once all belong to it', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await databaseAt(t, await freshAddress(t, engine))
    const both = (trx: Kysely<Tables>) =>
      Promise.all(['a', 'b', 'c'].map((title) => inserted(database, trx, title)))
    const failing = database.transaction(async (trx) => {
      const results = await both(trx)
      t.strictSame(
        results.map(({ insertId }) => Number(insertId)),
        [1, 2, 3],
      )
      t.strictSame(
        results.map(({ numInsertedOrUpdatedRows }) => Number(numInsertedOrUpdatedRows)),
        [1, 1, 1],
      )
      throw new RangeError('enough')
    })
    await t.rejects(failing, new RangeError('enough'))
    t.strictSame(await titles(database), [])
    await database.transaction(both)
    t.strictSame(await titles(database), ['a', 'b', 'c'])
  }),
)

t.test('a transaction continues after a first statement that broke a unique key', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await databaseAt(t, await freshAddress(t, engine))
    const { db, dialect, t: tables } = database
    const insert = (executor: Kysely<Tables>, option_name: string) =>
      executor.insertInto(tables.options).values({ option_name, option_value: '', autoload: 'no' }).execute()
    const names = async () => (await db.selectFrom(tables.options).select('option_name').execute()).length
    await insert(db, 'svc_a')
    const before = await names()
    const write = (last: string) =>
      database.transaction(async (trx) => {
        await t.rejects(
          insert(trx, 'svc_a').catch((error: unknown) => {
            throw dialect.isUnique(error) ? new RangeError('taken') : error
          }),
          new RangeError('taken'),
        )
        await insert(trx, 'svc_b')
        await insert(trx, last)
      })
    await t.rejects(write('svc_b'))
    t.equal(await names(), before)
    await write('svc_c')
    t.equal(await names(), before + 2)
  }),
)
