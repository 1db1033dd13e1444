// What a transaction needs of the other thread: its locks do not wait for it.
import t, { type Test } from 'tap'
import { escaped } from '../../../src/db/column-limits.ts'
import { connect, databaseOn } from '../../../src/db/connect.ts'
import { guard } from '../../../src/db/guard.ts'
import { offThread } from '../../../src/off-thread/off-thread.ts'
import { migrate } from '../../../src/upkeep/set-up.ts'
import { type Engine, freshAddress, onEachEngine } from '../../support/build.ts'

const calls = new URL('../../support/off-thread-calls.ts', import.meta.url)

async function databaseFor(t: Test, engine: Engine) {
  const address = await freshAddress(t, engine)
  await migrate({ database: address })
  const connection = await connect({ database: address })
  t.teardown(() => connection.close())
  return databaseOn(connection)
}

t.test('other writers have their turn while a transaction waits for the other thread', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await databaseFor(t, engine)
    await database.transaction((trx) => guard(database, trx, 'catalog'))
    const flag = new Int32Array(new SharedArrayBuffer(4))
    let runs = 0
    const { promise: hasLock, resolve } = Promise.withResolvers<void>()
    const waiting = database.transaction(async (trx) => {
      runs++
      await guard(database, trx, 'catalog')
      await trx.insertInto(database.t.categories).values({ title: 'Cups', user_id: 0 }).execute()
      resolve()
      return offThread<boolean>(calls, 'isSetInTime', flag)
    })
    await hasLock
    await database.transaction((trx) => guard(database, trx, 'catalog'))
    Atomics.store(flag, 0, 1)
    Atomics.notify(flag, 0)
    t.ok(await waiting, 'the other one came first')
    t.equal(runs, 2)
    const rows = await database.db.selectFrom(database.t.categories).select('title').execute()
    t.strictSame(rows, [{ title: 'Cups' }], 'nothing is written twice')
  }),
)

t.test('what a call throws ends the transaction, and nothing is written', async (t) => {
  const database = await databaseFor(t, 'SQLite')
  const failing = database.transaction(async (trx) => {
    await trx.insertInto(database.t.categories).values({ title: 'Cups', user_id: 0 }).execute()
    await offThread(calls, 'failing')
  })
  await t.rejects(failing, /RangeError: never/)
  t.strictSame(await database.db.selectFrom(database.t.categories).selectAll().execute(), [])
})

t.test('a transaction whose calls are others each time comes to its end', async (t) => {
  const database = await databaseFor(t, 'SQLite')
  let runs = 0
  const set = new Int32Array(new SharedArrayBuffer(4)).fill(1)
  const done = await database.transaction(() => offThread<boolean>(calls, 'isSetInTime', set, ++runs))
  t.strictSame([done, runs], [true, 5])
})

t.test(
  'letters that a column cannot hold are escaped on the other thread where there are many',
  async (t) => {
    const database = await databaseFor(t, 'SQLite')
    for (const [count, expected] of [
      [10, 1],
      [300_000, 2],
    ] as const) {
      let runs = 0
      const text = await database.transaction(async () => {
        runs++
        return escaped(`"${'a😀'.repeat(count)}"`, /[\ud800-\udfff]/g)
      })
      t.equal(text, `"${'a\\ud83d\\ude00'.repeat(count)}"`)
      t.equal(runs, expected)
    }
  },
)
