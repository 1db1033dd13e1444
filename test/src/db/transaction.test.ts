// Transactions against other writers: tried again where nothing has happened, given up after five tries, all or nothing.
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { createPool, type PoolOptions } from 'mysql2'
import { createConnection, type Connection as MysqlConnection } from 'mysql2/promise'
import t, { type Test } from 'tap'
import { within } from '../../../src/core/deadline.ts'
import { connect, type Database, databaseOn } from '../../../src/db/connect.ts'
import { guard } from '../../../src/db/guard.ts'
import { migrate } from '../../../src/upkeep/set-up.ts'
import { build, freshAddress, onEachEngine, token } from '../../support/hosts/build.ts'
import { onServers } from '../../support/hosts/fresh-host.ts'
import { servingPeers } from '../../support/hosts/process.ts'

/** The working database on an URL, or on a pool whose sessions are set up by `statement`. */
async function databaseAt(t: Test, address: string, statement?: string): Promise<Database> {
  await migrate({ database: address })
  const options: PoolOptions = { uri: address, charset: 'utf8mb4' }
  const pool = statement === undefined ? undefined : createPool(options)
  if (statement !== undefined) pool?.on('connection', (connection) => connection.query(statement))
  const connection = await connect({ database: pool ?? address })
  t.teardown(async () => {
    await connection.close()
    await pool?.promise().end()
  })
  return databaseOn(connection)
}

/** A second client of the same MariaDB database. */
async function other(t: Test, address: string): Promise<MysqlConnection> {
  const connection = await createConnection(address)
  t.teardown(() => connection.end())
  return connection
}

async function category({ db, t }: Database, title: string): Promise<number> {
  const { insertId } = await db
    .insertInto(t.categories)
    .values({ title, user_id: 0 })
    .executeTakeFirstOrThrow()
  return Number(insertId)
}

async function titles({ db, t }: Database): Promise<(string | null)[]> {
  const rows = await db.selectFrom(t.categories).select('title').orderBy('ID').execute()
  return rows.map((row) => row.title)
}

t.test('what fails in the middle leaves nothing, and its own error comes out', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await databaseAt(t, await freshAddress(t, engine))
    await category(database, 'before')
    let runs = 0
    const failing = database.transaction(async (trx) => {
      runs++
      await trx.updateTable(database.t.categories).set({ title: 'changed' }).execute()
      await trx.insertInto(database.t.categories).values({ title: 'more', user_id: 0 }).execute()
      throw new RangeError('enough')
    })
    await t.rejects(failing, new RangeError('enough'))
    t.equal(runs, 1)
    t.strictSame(await titles(database), ['before'])
  }),
)

onServers(
  'the loser of a deadlock is tried again from the start and leaves one effect',
  async (t, engine) => {
    const address = await freshAddress(t, engine)
    const database = await databaseAt(t, address)
    const rival = await other(t, address)
    const [a, b] = [await category(database, 'a'), await category(database, 'b')]
    for (let i = 0; i < 50; i++) await category(database, 'ballast')
    await rival.query('begin')
    // The server ends the transaction that has changed less: ours.
    await rival.query(`update ${database.t.categories} set user_id = 1 where ID >= ${b}`)

    let runs = 0
    let rivalDone: Promise<unknown> | undefined
    await database.transaction(async (trx) => {
      runs++
      const mark = (id: number) =>
        trx
          .updateTable(database.t.categories)
          .set((eb) => ({ title: eb.fn('concat', ['title', eb.val('!')]) }))
          .where('ID', '=', id)
          .execute()
      await mark(a)
      rivalDone ??= rival
        .query(`update ${database.t.categories} set title = 'rival' where ID = ${a}`)
        .then(() => rival.query('commit'))
      await mark(b)
    })
    t.equal(runs, 2)
    await rivalDone
    t.strictSame((await titles(database)).slice(0, 2), ['rival!', 'b!'])
  },
)

onServers('a table that is altered while a transaction runs is read in the next try', async (t, engine) => {
  const address = await freshAddress(t, engine)
  const database = await databaseAt(t, address)
  const { products, categories } = database.t
  const rival = await other(t, address)
  let runs = 0
  const found = await database.transaction(async (trx) => {
    // What is read first decides which state the transaction sees.
    await trx.selectFrom(products).select('ID').execute()
    if (runs++ === 0) await rival.query(`alter table ${categories} add column note int, algorithm=copy`)
    await trx.insertInto(products).values({ title: 'Mug', user_id: 0 }).execute()
    return trx.selectFrom(categories).select('title').execute()
  })
  t.strictSame([runs, found], [2, []])
  t.equal((await database.db.selectFrom(products).select('ID').execute()).length, 1)
})

onServers(
  'a lock that stays taken is tried five times, then given up with 503, without any effect',
  async (t, engine) => {
    const address = await freshAddress(t, engine)
    const database = await databaseAt(t, address, 'set innodb_lock_wait_timeout = 0')
    const id = await category(database, 'held')
    const rival = await other(t, address)
    await rival.query('begin')
    await rival.query(`select * from ${database.t.categories} where ID = ${id} for update`)

    let runs = 0
    const write = () =>
      database.transaction(async (trx) => {
        runs++
        await trx
          .insertInto(database.t.products)
          .values({ title: 'half', options: '{}', thumbnail: '', user_id: 0, type: 'catalog' })
          .execute()
        await trx.updateTable(database.t.categories).set({ title: 'mine' }).where('ID', '=', id).execute()
      })
    const error = await write().catch((failure: unknown) => failure)
    t.equal(runs, 5)
    t.match(error, { statusCode: 503, headers: { 'retry-after': /^\d+$/ }, cause: { errno: 1205 } })
    t.strictSame(await database.db.selectFrom(database.t.products).selectAll().execute(), [])
    await rival.query('rollback')
    await write()
    t.strictSame(await titles(database), ['mine'])
    t.equal((await database.db.selectFrom(database.t.products).selectAll().execute()).length, 1)
  },
)

t.test('an SQLite file that stays locked gives 503, and serves again once it is free', async (t) => {
  const address = await freshAddress(t, 'SQLite')
  const database = await databaseAt(t, address)
  const rival = new DatabaseSync(address.slice('sqlite:'.length))
  t.teardown(() => rival.close())
  rival.exec('begin immediate')
  await database.db.executeQuery(CompiledQuery.raw('pragma busy_timeout = 0'))
  const write = () =>
    database.transaction(async (trx) => {
      await trx.insertInto(database.t.categories).values({ title: 'mine', user_id: 0 }).execute()
    })
  await t.rejects(write(), { statusCode: 503, cause: { errcode: 5 } })
  t.strictSame(await titles(database), [])
  rival.exec('commit')
  await write()
  t.strictSame(await titles(database), ['mine'])
})

t.test('what is no matter of other writers is never tried again', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await databaseAt(t, await freshAddress(t, engine))
    let runs = 0
    const twice = database.transaction(async (trx) => {
      runs++
      const row = { option_name: 'svc_test', option_value: '', autoload: 'no' }
      await trx.insertInto(database.t.options).values(row).execute()
      await trx.insertInto(database.t.options).values(row).execute()
    })
    const error = await twice.catch((failure: unknown) => failure)
    t.ok(database.dialect.isUnique(error))
    t.equal(runs, 1)
    t.strictSame(await database.db.selectFrom(database.t.options).selectAll().execute(), [])
  }),
)

t.test('two processes that each count to 200 in transactions reach 400', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { address, db, t: names } = await build(t, { engine })
    const key = 'svc_test_count'
    await db
      .insertInto(names.options)
      .values({ option_name: key, option_value: '0', autoload: 'no' })
      .execute()
    const peers = await servingPeers(t, address, token)
    // Nobody has used the guard before: its row is made in the race.
    await Promise.all(peers.map((peer) => peer.order({ do: 'count', key, times: 200 })))
    const rows = await db.selectFrom(names.options).select(['option_name', 'option_value']).execute()
    t.equal(rows.find((row) => row.option_name === key)?.option_value, '400')
    t.equal(rows.filter((row) => row.option_name === 'svc_guard_catalog').length, 1)
  }),
)

t.test('a guard row gets a new value at every use, and is not loaded by every page of the CMS', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await databaseAt(t, await freshAddress(t, engine))
    const values = new Set<string>()
    for (let i = 0; i < 3; i++) {
      await database.transaction((trx) => guard(database, trx, 'catalog'))
      const row = await database.db.selectFrom(database.t.options).selectAll().executeTakeFirstOrThrow()
      t.match(row, { option_name: 'svc_guard_catalog', autoload: /^(no|off)$/ })
      values.add(row.option_value)
    }
    t.equal(values.size, 3)
  }),
)

onServers(
  '50 first uses of a guard at the same time wait for each other, and none is lost',
  async (t, engine) => {
    const database = await databaseAt(t, await freshAddress(t, engine))
    const { db, t: names } = database
    const guards = ['catalog', 'settings', 'designs', 'orders', 'fonts'] as const
    for (const name of guards) {
      let runs = 0
      const title = `Uses of ${name}`
      await db.insertInto(names.categories).values({ title, user_id: 0 }).execute()
      const count = async () => {
        const row = db.selectFrom(names.categories).select('user_id').where('title', '=', title)
        return (await row.executeTakeFirstOrThrow()).user_id
      }
      const use = () =>
        database.transaction(async (trx) => {
          runs++
          await guard(database, trx, name)
          const row = trx.selectFrom(names.categories).select('user_id').where('title', '=', title)
          const { user_id } = await row.executeTakeFirstOrThrow()
          const one = trx.updateTable(names.categories).set({ user_id: Number(user_id) + 1 })
          await one.where('title', '=', title).execute()
        })
      await Promise.all(Array.from({ length: 50 }, use))
      t.equal(await count(), 50, 'each sees what the one before it has written')
      t.equal(runs, 50, 'no deadlock')
    }
  },
)

onServers('a guard is used again although its first use was rolled back', async (t, engine) => {
  const database = await databaseAt(t, await freshAddress(t, engine))
  const refused = database.transaction(async (trx) => {
    await guard(database, trx, 'catalog')
    throw new Error('refused')
  })
  await t.rejects(refused, { message: 'refused' })
  const uses = Array.from({ length: 20 }, () =>
    database.transaction((trx) => guard(database, trx, 'catalog')),
  )
  await Promise.all(uses)
  t.equal((await database.db.selectFrom(database.t.options).selectAll().execute()).length, 1)
})

onServers(
  'a request that waits for a lock that is never released gets 503, and the next one succeeds',
  async (t, engine) => {
    const { call, address, t: names } = await build(t, { engine })
    const { id } = (await call('POST', '/categories', { title: 'Held' })).body.data
    const rival = await other(t, address)
    await rival.query('begin')
    await rival.query(
      `update ${names.options} set option_value = 'held' where option_name = 'svc_guard_catalog'`,
    )
    const response = await call('PATCH', `/categories/${id}`, { title: 'Waits' })
    t.equal(response.status, 503)
    t.equal(response.body.code, 'svc_unavailable')
    t.match(response.body.message, /^The database is busy with other writers/)
    t.match(response.headers['retry-after'], /^\d+$/)
    t.equal((await call('GET', `/categories/${id}`)).body.data.title, 'Held')
    await rival.query('rollback')
    t.equal((await call('PATCH', `/categories/${id}`, { title: 'Free' })).status, 200)
  },
)

onServers(
  'a transaction has its own deadline, not that of the request that opened its connection',
  async (t, engine) => {
    const address = await freshAddress(t, engine)
    await databaseAt(t, address)
    const pool = createPool({ uri: address, connectionLimit: 1 })
    t.teardown(() => pool.promise().end())
    const { transaction, db, t: tables } = await databaseOn(await connect({ database: pool }))
    const first = await pool.promise().getConnection()
    first.destroy()
    const read = (executor = db) => executor.selectFrom(tables.categories).selectAll().execute()
    await within(2000, () => read())
    await delay(2050)
    const rows = await transaction(async (trx) => {
      await trx.insertInto(tables.categories).values({ title: 'mine', user_id: 0 }).execute()
      return read(trx)
    })
    t.equal(rows.length, 1)
  },
)
