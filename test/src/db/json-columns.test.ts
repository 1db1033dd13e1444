// How a query returns JSON: as text, on every kind of connection and from columns of any type.
import { Kysely, MysqlDialect, sql } from 'kysely'
import { createPool, type PoolOptions } from 'mysql2'
import t, { type Test } from 'tap'
import { type Connection, connect } from '../../../src/db/connect.ts'
import type { DatabaseInput } from '../../../src/db/options.ts'
import { prepared } from '../../../src/db/prepared.ts'
import { fromJson } from '../../../src/json/parse.ts'
import { newProduct } from '../../support/fixtures/rows.ts'
import { run } from '../../support/fixtures/schema.ts'
import { build, freshAddress, ownServer } from '../../support/hosts/build.ts'
import { onServers } from '../../support/hosts/fresh-host.ts'

const long = 'x'.repeat(600_000)
const large = ` {"title": "€${long}", "b": [1, 2.50]} `
const unreadable = `{"title": "${long}`
const serialized = `a:1:{i:0;s:${long.length}:"${long}";}`
/** Many bytes, but few characters. */
const wide = JSON.stringify(['€'.repeat(300_000)])
const values = [large, unreadable, serialized, wide, '{"a":"é"}', '', null]

/** Rows with these values in a column of JSON. */
async function fill({ db, t }: Connection): Promise<void> {
  await db.deleteFrom(t.products).execute()
  for (const [at, options] of values.entries())
    await db
      .insertInto(t.products)
      .values({ ID: at + 1, title: 'é', thumbnail: '', options, user_id: 7, type: 'catalog' })
      .execute()
}

async function assertRows(t: Test, connection: Connection): Promise<void> {
  const select = (id: number) =>
    connection.db
      .selectFrom(connection.t.products)
      .select(['ID', 'title', 'options', 'user_id', 'type'])
      .select(sql<number>`cast(1.5 as char)`.as('number'))
      .where('ID', '=', id)
  const directly = prepared(select)
  for (const [at, expected] of values.entries())
    for (const [row] of [
      await select(at + 1).execute(),
      await directly(connection.db, at + 1),
      await connection.db.connection().execute((db) => directly(db, at + 1)),
    ]) {
      const { options, ...others } = row ?? {}
      t.strictSame(others, { ID: at + 1, title: 'é', user_id: 7, type: 'catalog', number: '1.5' })
      t.ok(options === expected, `value ${at} as it is stored`)
    }
}

const settings: Record<string, PoolOptions> = {
  plain: {},
  'type casting of its own': { typeCast: (field, next) => (field.type === 'BLOB' ? '!' : next()) },
  'no type casting': { typeCast: false },
  'big numbers as texts': { supportBigNumbers: true, bigNumberStrings: true },
  'big numbers': { supportBigNumbers: true },
  'dates as texts': { dateStrings: true },
  'rows as arrays': { rowsAsArray: true },
  'nested tables': { nestTables: true },
}

onServers('JSON is read as text, whatever its length and the settings of the pool', async (t, engine) => {
  const sqlite = await freshAddress(t, 'SQLite')
  const uri = await freshAddress(t, engine)
  const read = async (t: Test, database: DatabaseInput) => {
    const connection = await connect({ database })
    t.teardown(() => connection.close())
    await assertRows(t, connection)
  }
  for (const address of [sqlite, uri]) {
    await build(t, { engine: address === uri ? engine : 'SQLite', address })
    const connection = await connect({ database: address })
    await fill(connection)
    await connection.close()
    await t.test(address === uri ? engine : 'SQLite', (t) => read(t, address))
  }
  for (const [name, options] of Object.entries(settings))
    await t.test(`a host's pool: ${name}`, async (t) => {
      const pool = createPool({ uri, charset: 'utf8mb4', ...options })
      t.teardown(() => new Promise<void>((resolve) => pool.end(() => resolve())))
      await read(t, pool)
    })
  await t.test("a host's Kysely", async (t) => {
    const database = new Kysely({
      dialect: new MysqlDialect({ pool: createPool({ uri, charset: 'utf8mb4' }) }),
    })
    t.teardown(() => database.destroy())
    await read(t, database)
  })
})

t.test('large JSON that is no UTF-8 is read with replacement characters', async (t) => {
  const host = await build(t, { engine: 'SQLite' })
  await host.call('POST', '/products', { title: 'x' })
  const stored = Buffer.from(`{"a":"${long}"}`)
  stored[9] = 0xff
  const expected = stored.toString().slice(6, -2)
  await sql`update ${sql.table(host.t.products)} set options = cast(${stored} as text)`.execute(host.db)
  const { status, body } = await host.call('GET', '/products/1')
  t.equal(status, 200)
  t.ok(body.data.options.a === expected)
})

onServers('a large value of a binary column is JSON, too', async (t, engine) => {
  const host = await build(t, { engine, address: await freshAddress(t, engine) })
  await host.call('POST', '/products', { title: 'x', options: { a: 'é' } })
  await sql`alter table ${sql.table(host.t.products)} modify options longblob`.execute(host.db)
  const { body, headers } = await host.call('GET', '/products/1')
  t.strictSame(body.data.options, { a: 'é' })
  await host.db.updateTable(host.t.products).set({ options: large }).execute()
  const next = await host.call('GET', '/products/1')
  t.ok(next.body.data.options.title === `€${long}`)
  t.not(next.headers.etag, headers.etag)
})

onServers('a column of the type JSON is read without misread names, through any pool', async (t, engine) => {
  const uri = await freshAddress(t, engine)
  const first = `json${engine}`
  JSON.parse(`{"${first}":1,"\\\\":1}`)
  const pool = createPool({ uri, charset: 'utf8mb4' })
  t.teardown(() => new Promise<void>((resolve) => pool.end(() => resolve())))
  const host = await build(t, { engine, address: uri })
  const id = await newProduct(host)
  await sql`alter table ${sql.table(host.t.products)} modify options json`.execute(host.db)
  await host.db
    .updateTable(host.t.products)
    .set({ options: `{"${first}": 1, "\\"": "ä"}` })
    .execute()
  for (const { call } of [host, await build(t, { engine, address: uri, database: pool })]) {
    const { status, text } = await call('GET', `/products/${id}`)
    t.equal(status, 200)
    t.match(fromJson(text), { data: { options: { [first]: 1, '"': 'ä' } } })
    const changed = await call('PATCH', `/products/${id}`, { options: { own: 1 } })
    t.match(fromJson(changed.text), { data: { options: { [first]: 1, '"': 'ä', own: 1 } } })
  }
})

onServers(
  'rows that the server splits are read whole, however often and through any protocol',
  async (t, engine) => {
    const server = await ownServer(t, engine, { flags: ['--max-allowed-packet=64M'] })
    const root = await connect({ database: server.url('mysql') })
    await run(root.db, 'create database shop character set utf8mb4')
    await root.close()
    const uri = server.url('shop')
    await build(t, { engine, address: uri })
    const options = JSON.stringify(['€', 'x'.repeat(17 * 2 ** 20)])
    for (const settings of [{}, { compress: true }]) {
      const pool = createPool({ uri, charset: 'utf8mb4', connectionLimit: 1, ...settings })
      t.teardown(() => new Promise<void>((resolve) => pool.end(() => resolve())))
      const { db, t: tables } = await connect({ database: pool })
      await db.deleteFrom(tables.products).execute()
      const row = { title: 'é', thumbnail: 'y', options, user_id: 7, type: 'catalog' }
      await db.insertInto(tables.products).values(row).execute()
      const select = (one: number) =>
        db
          .selectFrom(tables.products)
          .select(['title', 'options', 'thumbnail', 'user_id'])
          .select(sql<Buffer>`cast('z' as binary)`.as('bytes'))
          .where('user_id', '>', one)
      const directly = prepared(select)
      for (let time = 0; time < 3; time++)
        for (const [found] of [await select(1).execute(), await directly(db, 1)]) {
          const { options: read, bytes, ...others } = found ?? {}
          t.strictSame(others, { title: 'é', thumbnail: 'y', user_id: 7 })
          t.equal(String(bytes), 'z')
          t.ok(String(read) === options)
        }
    }
  },
)
