// A transaction begins with its first statement: whatever happens then, none of its statements runs outside of it.
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { CompiledQuery, type Kysely } from 'kysely'
import { createPool, type PoolConnection } from 'mysql2'
import t, { type Test } from 'tap'
import {
  type ChangeFeed,
  type Connection,
  connect,
  type Database,
  databaseOn,
} from '../../../src/db/connect.ts'
import { serverStatements } from '../../../src/db/mysql-statement.ts'
import { transactionOn } from '../../../src/db/mysql-transaction.ts'
import { openSqlite } from '../../../src/db/sqlite-thread.ts'
import type { Tables } from '../../../src/db/tables.ts'
import { inTurn, type Statement } from '../../../src/db/together.ts'
import { outsideRequest, within } from '../../../src/deadline.ts'
import { migrate } from '../../../src/upkeep/set-up.ts'
import { freshAddress, onEachEngine } from '../../support/build.ts'
import { onServers } from '../../support/fresh-host.ts'

async function connectionTo(t: Test, address: string): Promise<Connection> {
  await migrate({ database: address })
  const connection = await connect({ database: address })
  t.teardown(() => connection.close())
  return connection
}

const databaseAt = async (t: Test, address: string) => databaseOn(await connectionTo(t, address))

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

t.test('no statement runs by itself after a first one that could not begin the transaction', async (t) => {
  const address = await freshAddress(t, 'SQLite')
  const database = await databaseAt(t, address)
  const rival = new DatabaseSync(address.slice('sqlite:'.length))
  t.teardown(() => rival.close())
  rival.exec('begin immediate')
  let runs = 0
  await database.transaction(async (trx) => {
    runs++
    await inserted(database, trx, 'first').catch(() => rival.exec('commit'))
    await inserted(database, trx, 'second')
  })
  t.equal(runs, 2, 'the whole is tried again')
  t.strictSame(await titles(database), ['first', 'second'])
})

/** A change feed whose rows are categories. */
const feed = (inserts: ChangeFeed['inserts'] = () => []): ChangeFeed => ({
  isStored: true,
  tables: [],
  inserts,
  report() {},
})

t.test('a write is not committed after its deadline because the thread was busy', async (t) => {
  const connection = await connectionTo(t, await freshAddress(t, 'SQLite'))
  const database = await databaseOn(connection, feed())
  const { db, t: tables } = database
  await inserted(database, db, 'before')
  const other = await openSqlite(':memory:')
  t.teardown(() => other.close())
  const count = (to: number) =>
    other.run([
      {
        sql: `with recursive c(n) as (select 1 union all select n + 1 from c where n < ${to}) select max(n) from c`,
        parameters: [],
      },
    ])
  const since = performance.now()
  await count(300_000)
  const perMillisecond = 300_000 / (performance.now() - since)
  const keepBusy = (milliseconds: number) => count(Math.ceil(milliseconds * perMillisecond))
  const alone = (busy: () => void) => {
    busy()
    return database.single({
      statement: db.updateTable(tables.categories).set({ title: 'late' }).compile(),
      run: async () => 0n,
      change: { resource: 'category', action: 'updated', id: 1 },
      result: async (matched) => matched,
    })
  }
  const inTransaction = (busy: () => void) =>
    database.transaction(async (trx) => {
      await trx.updateTable(tables.categories).set({ title: 'late' }).execute()
      busy()
    })
  // The thread is busy until after the deadline, but not for long.
  for (const write of [alone, inTransaction] as ((busy: () => void) => Promise<unknown>)[]) {
    let counting: Promise<unknown> | undefined
    const busy = () => {
      counting = outsideRequest(() => keepBusy(400))
    }
    await t.rejects(
      within(150, async () => {
        await write(busy)
      }),
    )
    await counting
    await count(1)
    t.strictSame(await titles(database), ['before'])
  }
  t.equal(await within(5000, () => alone(() => {})), true, 'in time it is done')
})

t.test('statements that are sent one by one are not committed after the deadline', async (t) => {
  const ran: string[] = []
  const statements = ['insert', 'commit'].map((sql) => ({ sql, parameters: [] }))
  const run = async ({ sql }: Statement) => {
    ran.push(sql)
    await delay(60)
    return {}
  }
  await t.rejects(within(30, () => inTurn(statements, run)))
  await delay(60)
  t.strictSame(ran, ['insert'])
  await within(5000, () => inTurn(statements, run))
  t.strictSame(ran, ['insert', 'insert', 'commit'])
})

onServers(
  'a transaction whose BEGIN the server refuses begins with its next statement',
  async (t, engine) => {
    const pool = createPool({ uri: await freshAddress(t, engine), connectionLimit: 1 })
    t.teardown(() => pool.promise().end())
    await pool.promise().query('create table pairs (id int primary key)')
    const connection = (await pool.promise().getConnection()).connection as unknown as PoolConnection
    const query = connection.query.bind(connection)
    let refused = 0
    Reflect.set(connection, 'query', (options: { sql: string }, done: (error: unknown) => void) => {
      if (options.sql !== 'begin' || refused++ > 0) return query(options as never, done as never)
      done(Object.assign(new Error('not ready'), { errno: 1047 }))
    })
    const { executor, reset } = transactionOn(connection, { ...serverStatements(), knowsCompounds: false })
    const run = (sql: string) => executor.executeQuery(CompiledQuery.raw(sql))
    await run('begin')
    await t.rejects(run('insert into pairs values (1)'), new Error('not ready'))
    await run('insert into pairs values (2)')
    await run('rollback')
    reset()
    t.strictSame((await run('select * from pairs')).rows, [])
    connection.release()
  },
)
