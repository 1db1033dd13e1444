// What a host may hand in as `database`: what works, what is closed with the app, and what is refused in which words.
import { createServer } from 'node:net'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { CamelCasePlugin, Kysely, MysqlDialect, SqliteDialect, sql } from 'kysely'
import { createPool, type PoolOptions } from 'mysql2'
import { createConnection, createPool as createPromisePool } from 'mysql2/promise'
import t, { type Test } from 'tap'
import { type DatabaseInput, type SvcApiOptions, svcApi } from '../../../plugins/index.ts'
import { build, freshAddress, type ServerEngine } from '../../support/hosts/build.ts'
import { Fastify } from '../../support/hosts/fastify.ts'
import { onServers } from '../../support/hosts/fresh-host.ts'
import { otherSessions } from '../../support/peers/database-server.ts'

/** Everything a client sees of a product with a view and a category, and of lists and counts. */
async function tour(t: Test, database: DatabaseInput, address: string): Promise<unknown[]> {
  const { call, app } = await build(t, { engine: 'MariaDB', address, database })
  const product = (
    await call('POST', '/products', { title: 'O\'Neil "ü" \\ 🖌', options: { price: 12.5, big: 1, on: true } })
  ).body.data
  const category = (await call('POST', '/categories', { title: 'Mugs' })).body.data
  const view = (
    await call('POST', `/products/${product.id}/views`, { title: 'Front', elements: [{ z: null }] })
  ).body
  await call('PATCH', `/products/${product.id}`, { categories: [category.id] })
  const responses = [
    product,
    view,
    ...(await Promise.all([
      call('GET', `/products/${product.id}?include_views=true`),
      call('GET', '/products?order_by=title&include_views=true'),
      call('GET', `/products?category_id=${category.id}&search=NEIL`),
      call('GET', '/categories?include_products=true'),
      call('GET', '/system'),
      call('GET', '/products/99'),
    ]).then((all) => all.map(({ status, body }) => ({ status, ...body })))),
  ]
  await app.close()
  return responses
}

async function plainTour(t: Test, engine: ServerEngine): Promise<unknown[]> {
  const address = await freshAddress(t, engine)
  return tour(t, address, address)
}

const isOpen = (pool: ReturnType<typeof createPool>) =>
  pool
    .promise()
    .query('select 1')
    .then(() => true)

// mysql2 remembers by query how to read its rows, so what changes that comes first.
const poolSettings: Record<string, PoolOptions> = {
  'type casting of its own': {
    typeCast: (field, next) => (field.type === 'LONGLONG' ? `#${field.string()}` : next()),
  },
  'dates as texts': { dateStrings: true },
  'rows as arrays': { rowsAsArray: true },
  'nested tables': { nestTables: true },
  'no type casting': { typeCast: false },
  'named placeholders': { namedPlaceholders: true },
  'big numbers as texts': { supportBigNumbers: true, bigNumberStrings: true },
  'decimals as numbers': { decimalNumbers: true },
  'another zone': { timezone: '+05:30' },
  'only changed rows counted': { flags: ['-FOUND_ROWS'] },
}

/** One server tells as much as two: the driver alone knows these settings. */
t.test('a pool gives the same responses whatever its settings, and stays open', async (t) => {
  const responses: unknown[] = []
  for (const [name, settings] of Object.entries(poolSettings)) {
    await t.test(name, async (t) => {
      const address = await freshAddress(t, 'MariaDB')
      const pool = createPool({ uri: address, charset: 'utf8mb4', ...settings })
      t.teardown(() => new Promise<void>((resolve) => pool.end(() => resolve())))
      responses.push(await tour(t, pool, address))
      t.ok(await isOpen(pool))
    })
  }
  const expected = await plainTour(t, 'MariaDB')
  for (const response of responses) t.strictSame(response, expected)
})

onServers('sessions give the same responses whatever their settings', async (t, engine) => {
  const expected = await plainTour(t, engine)
  // Where two do not concern the same thing, they are tried together.
  for (const settings of [
    "sql_mode = 'ANSI_QUOTES'",
    "sql_mode = '', collation_connection = 'utf8mb4_bin'",
    "sql_mode = 'TRADITIONAL,PIPES_AS_CONCAT,ONLY_FULL_GROUP_BY', time_zone = '-11:00'",
  ]) {
    await t.test(settings, async (t) => {
      const address = await freshAddress(t, engine)
      const pool = createPool({ uri: address, charset: 'utf8mb4' })
      pool.on('connection', (connection) => connection.query(`set ${settings}`))
      t.teardown(() => new Promise<void>((resolve) => pool.end(() => resolve())))
      t.strictSame(await tour(t, pool, address), expected)
    })
  }
})

onServers(
  'a pool of mysql2/promise and a Kysely instance serve as well, and stay open',
  async (t, engine) => {
    const expected = await plainTour(t, engine)
    const inputs = {
      'mysql2/promise': (_pool: ReturnType<typeof createPool>, uri: string) => {
        const promised = createPromisePool({ uri, charset: 'utf8mb4' })
        t.teardown(() => promised.end())
        return promised
      },
      'a pool turned into promises': (pool: ReturnType<typeof createPool>) => pool.promise(),
      Kysely: (pool: ReturnType<typeof createPool>) => new Kysely({ dialect: new MysqlDialect({ pool }) }),
      'Kysely with CamelCasePlugin': (pool: ReturnType<typeof createPool>) =>
        new Kysely({ dialect: new MysqlDialect({ pool }), plugins: [new CamelCasePlugin()] }),
    }
    for (const [name, wrap] of Object.entries(inputs)) {
      await t.test(name, async (t) => {
        const address = await freshAddress(t, engine)
        const pool = createPool({ uri: address, charset: 'utf8mb4' })
        t.teardown(() => new Promise<void>((resolve) => pool.end(() => resolve())))
        const database = wrap(pool, address)
        t.strictSame(await tour(t, database, address), expected)
        t.ok(await isOpen(pool))
        if ('query' in database) t.ok(await database.query('select 1'))
      })
    }
  },
)

onServers(
  'a pool that refuses to wait for a connection gives 503 while all are taken, then serves',
  async (t, engine) => {
    const uri = await freshAddress(t, engine)
    const pool = createPool({ uri, charset: 'utf8mb4', connectionLimit: 1, waitForConnections: false })
    t.teardown(() => pool.promise().end())
    const { call } = await build(t, { engine, address: uri, database: pool })
    // Upkeep after the start may hold it for a moment.
    await until(async () => (await call('GET', '/categories')).status === 200)
    const taken = await pool.promise().getConnection()
    const { status, body, headers } = await call('GET', '/categories')
    taken.release()
    t.strictSame([status, body.code, headers['retry-after'] !== undefined], [503, 'svc_unavailable', true])
    t.match(body.message, /^The database cannot be reached/)
    await until(async () => (await call('GET', '/categories')).status === 200)
  },
)

/** A host's own Kysely on Node's SQLite, without any of our settings. */
function hostSqlite(path: string) {
  const file = new DatabaseSync(path)
  const dialect = new SqliteDialect({
    database: {
      close: () => file.close(),
      prepare: (text) => {
        const statement = file.prepare(text)
        return {
          reader: statement.columns().length > 0,
          all: (values) => statement.all(...(values as SQLInputValue[])),
          run: (values) => statement.run(...(values as SQLInputValue[])),
          iterate: (values) => statement.iterate(...(values as SQLInputValue[])),
        }
      },
    },
  })
  return new Kysely({ dialect, plugins: [new CamelCasePlugin()] })
}

t.test("a host's Kysely on SQLite works like a URL of the same engine, and stays open", async (t) => {
  const files = t.testdir({})
  const own = `${files}/own.sqlite`
  const expected = await tour(t, `sqlite:${own}`, `sqlite:${own}`)
  const database = hostSqlite(`${files}/host.sqlite`)
  t.teardown(() => database.destroy())
  t.strictSame(await tour(t, database, `sqlite:${files}/host.sqlite`), expected)
  t.equal((await sql`select 1 as one`.execute(database)).rows.length, 1)
})

onServers('what a URL opened is closed with the app, even if startup fails', async (t, engine) => {
  const address = await freshAddress(t, engine)
  const watcher = await createConnection(address)
  t.teardown(() => watcher.end())
  const others = async () => (await otherSessions(watcher)).length
  t.match(await startError(address), /are missing/)
  await until(async () => (await others()) === 0)
  const { app, connection } = await build(t, { engine, address })
  t.ok((await others()) > 0)
  await app.close()
  await connection.close()
  await until(async () => (await others()) === 0)
  t.equal(await others(), 0)
})

/** The server drops a connection a moment after it was told to. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds()));
}

async function startError(database: unknown, options: Partial<SvcApiOptions> = {}): Promise<string> {
  const app = Fastify()
  app.register(svcApi, {
    database: database as DatabaseInput,
    siteUrl: 'https://shop.example',
    ...options,
  })
  const error = await app.ready().then(
    () => undefined,
    (failure: Error) => failure,
  )
  await app.close()
  return String(error?.message)
}

t.test('an input that is no database is refused with what it must be', async (t) => {
  for (const input of [undefined, null, 5, {}, [], () => {}, new Map()])
    t.match(await startError(input), /^database: must be a Kysely instance, a mysql2 pool or a URL/)
  const addresses = [
    '',
    'shop',
    '/var/shop.sqlite',
    'postgres://a:hush@h/db',
    'mysql:shop',
    'mysql://u:hush@:99999/x',
    'mysql://u:hush@db:port/x',
    'http://hush.example',
  ]
  for (const address of addresses)
    t.match(
      await startError(address),
      /^database: the URL must be mysql:\/\/user:password@host:port\/name or sqlite:/,
      address,
    )
  t.match(await startError('mysql://root:hush@127.0.0.1'), /must end with the name of the database/)
  for (const account of ['u:p@ss', 'u:a/b', 'u:a b', 'u:%zz'])
    t.match(await startError(`mysql://${account}@127.0.0.1/shop`), /must be percent-encoded/, account)
  t.match(await startError('sqlite:'), /followed by the path of a file/)
})

t.test('a file that is no database, or that cannot be opened, is refused with its path', async (t) => {
  const files = t.testdir({ 'letter.txt': 'Dear Ann, this is a letter and no database at all.'.repeat(40) })
  t.match(
    await startError(`sqlite:${files}/letter.txt`),
    /^database: ".*letter\.txt" cannot be opened as an SQLite database/,
  )
  t.match(await startError(`sqlite:${files}/no/such/folder/x`), /cannot be opened as an SQLite database/)
})

onServers('what the server says no to is told in a sentence, and no password with it', async (t, engine) => {
  const address = new URL(await freshAddress(t, engine))
  const with_ = (changes: Partial<URL>) => Object.assign(new URL(address), changes).href
  const refusals: [string, RegExp][] = [
    [
      with_({ username: 'nobody', password: 'hush-hush' }),
      /^database: the server refuses the connection \(ER_ACCESS_DENIED/,
    ],
    [
      with_({ pathname: '/no_such_database' }),
      /^database: the server refuses the connection \(ER_BAD_DB_ERROR\)/,
    ],
    [with_({ port: '1', password: 'hush-hush' }), /^database: the server \S+:1 cannot be reached\.$/],
    [
      with_({ hostname: 'no-such-host.invalid', password: 'hush-hush' }),
      /^database: the server no-such-host\.invalid:\d+ cannot be reached\.$/,
    ],
  ]
  for (const [database, words] of refusals) {
    const message = await startError(database)
    t.match(message, words)
    t.notMatch(message, /hush/)
  }
})

t.test('a server that is no database is refused', async (t) => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as { port: number }
  const message = await startError(`mysql://root:hush@127.0.0.1:${port}/shop`)
  t.match(message, /^database: the server \S+ cannot be reached/)
  t.notMatch(message, /hush/)
})

onServers(
  'sessions in which characters or values would be lost are refused with the setting to change',
  async (t, engine) => {
    const uri = await freshAddress(t, engine)
    async function pooled(options: PoolOptions): Promise<string> {
      const pool = createPool({ uri, charset: 'utf8mb4', ...options })
      const message = await startError(pool, { migrate: true })
      await pool.promise().end()
      return message
    }
    t.match(await pooled({ charset: 'latin1' }), /charset is latin1\/latin1; it must be utf8mb4/)
    t.match(
      await pooled({ charset: 'UTF8_GENERAL_CI' }),
      /charset is utf8(mb3)?\/utf8(mb3)?; it must be utf8mb4/,
    )
    for (const [charset, settings] of [
      ['gbk', "session_track_system_variables = '', names utf8mb4"],
      ['utf8mb4', 'character_set_connection = latin1'],
    ] as const) {
      const pool = createPool({ uri, charset })
      pool.on('connection', (connection) => connection.query(`set ${settings}`, () => {}))
      t.match(
        await startError(pool, { migrate: true }),
        /^database: texts reach the server in another charset/,
      )
      await pool.promise().end()
    }
    const server = new URL(uri)
    const nowhere = createPool({
      host: server.hostname,
      port: Number(server.port),
      user: 'root',
      charset: 'utf8mb4',
    })
    t.match(await startError(nowhere), /^database: the connection has no database selected\.$/)
    await nowhere.promise().end()
  },
)

onServers("a host's Kysely whose driver changes values or rows is refused", async (t, engine) => {
  const uri = await freshAddress(t, engine)
  for (const settings of [
    { supportBigNumbers: true, bigNumberStrings: true },
    { rowsAsArray: true },
    { typeCast: false },
  ]) {
    const pool = createPool({ uri, charset: 'utf8mb4', ...settings })
    const database = new Kysely({ dialect: new MysqlDialect({ pool }) })
    t.match(await startError(database), /must return rows as objects, text as strings and BIGINT as numbers/)
    await database.destroy()
  }
})

onServers(
  'two hosts in one process use one database each, and closing one leaves the other',
  async (t, engine) => {
    const [a, b] = [await freshAddress(t, engine), `sqlite:${t.testdir({})}/b.sqlite`]
    const [one, two] = [await build(t, { engine, address: a }), await build(t, { address: b })]
    await one.app.close()
    t.equal((await two.call('GET', '/products')).status, 200)
  },
)
