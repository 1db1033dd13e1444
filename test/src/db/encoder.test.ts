// Existing tables keep their types: what a column cannot hold is refused or escaped, and nothing is ever cut.
import { Writable } from 'node:stream'
import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import t, { type Test } from 'tap'
import { migrate } from '../../../plugins/index.ts'
import { connect } from '../../../src/db/connect.ts'
import { encoderOf } from '../../../src/db/encoder.ts'
import type { ColumnLimits } from '../../../src/db/inspect.ts'
import { run } from '../../support/fixtures/schema.ts'
import {
  type BuildOptions,
  build,
  freshAddress,
  ownServer,
  type ServerEngine,
  type TestHost,
} from '../../support/hosts/build.ts'
import { onServers } from '../../support/hosts/fresh-host.ts'

/** The API on an installation whose tables were changed by these statements. */
async function existing(
  t: Test,
  engine: ServerEngine,
  changes: string[],
  options: BuildOptions = {},
): Promise<TestHost> {
  const address = options.address ?? (await freshAddress(t, engine))
  await migrate({ database: address })
  const { db, close } = await connect({ database: address })
  await run(db, ...changes)
  await close()
  return build(t, { engine, address, ...options })
}

const convert = (charset: string) =>
  ['products', 'views', 'categories'].map(
    (table) => `ALTER TABLE wp_svc_${table} CONVERT TO CHARACTER SET ${charset}`,
  )

const allLetters = {
  plain: 'ü ß é',
  euro: '€ – “x”',
  cyrillic: 'Ж',
  emoji: '🖌 \u{1d11e}',
  '🖌': ['\u{10ffff}', '\u0085\u2028'],
}

/** Writes a product and a view with all characters and reads them back. */
async function roundTrip({ call }: TestHost) {
  const product = await call('POST', '/products', { title: 'Mug', options: allLetters })
  const { id } = product.body.data
  const view = await call('POST', `/products/${id}/views`, {
    title: 'Front',
    elements: [allLetters],
    options: allLetters,
  })
  const read = await call('GET', `/products/${id}?include_views=1`)
  return { product, view, read: read.body.data }
}

/** A title that tables of the charset can hold, and one that they cannot. */
const titles: Record<string, [good: string, bad?: string]> = {
  utf8mb3: ['Ж €', '🖌'],
  latin1: ['ü ß 10 € – O’Neil', 'Ж'],
  ascii: ['x', 'ü'],
  utf8mb4: ['🖌'],
}

for (const [charset, [good, bad]] of Object.entries(titles)) {
  onServers(`text in ${charset} tables`, async (t, engine) => {
    const host = await existing(t, engine, convert(charset))
    const { call, db, t: names } = host
    const storedElements = async (id: number) => {
      const rows = db.selectFrom(names.views).select('elements').where('ID', '=', id)
      return String((await rows.executeTakeFirstOrThrow()).elements)
    }

    await t.test('blobs read back as they were sent, whatever their characters', async (t) => {
      const { product, view, read } = await roundTrip(host)
      t.strictSame([product.status, view.status], [201, 201])
      t.strictSame(read.options, allLetters)
      t.strictSame(read.views[0].elements, [allLetters])
      t.strictSame(read.views[0].options, allLetters)
      const stored = await storedElements(read.views[0].id)
      t.strictSame(JSON.parse(stored), [allLetters])
      t.match(stored, charset === 'utf8mb4' ? '🖌' : '\\ud83d\\udd8c')
    })

    await t.test('so do large ones', async (t) => {
      const options = { ...allLetters, filler: 'x'.repeat(600_000) }
      const created = await call('POST', '/products', { title: 'Mug', options })
      t.strictSame([created.status, created.body.data.options], [201, options])
      const patch = { emoji: '🖌', more: 'ü'.repeat(600_000) }
      const merged = await call('PATCH', `/products/${created.body.data.id}`, { options: patch })
      t.strictSame([merged.status, merged.body.data.options], [200, { ...options, ...patch }])
      const view = { title: 'Front', elements: [options], options }
      const { id } = (await call('POST', `/products/${created.body.data.id}/views`, view)).body.data
      t.equal((await call('PATCH', `/views/${id}`, { elements: [options, patch] })).status, 200)
      const read = await call('GET', `/views/${id}`)
      t.strictSame([read.body.data.elements, read.body.data.options], [[options, patch], options])
      const stored = await storedElements(id)
      t.strictSame(JSON.parse(stored), [options, patch])
      t.equal(stored.includes('🖌'), charset === 'utf8mb4')
    })

    await t.test('a title with other characters gives 400 that names it, others are kept', async (t) => {
      for (const path of ['/products', '/categories']) {
        const { body } = await call('POST', path, { title: good })
        t.equal((await call('GET', `${path}/${body.data.id}`)).body.data.title, good)
        if (!bad) continue
        const refused = await call('POST', path, { title: `a ${bad}` })
        t.equal(refused.status, 400)
        t.match(refused.body.data.params.title, new RegExp(`charset ${charset} cannot store`))
        t.equal((await call('PATCH', `${path}/${body.data.id}`, { title: bad })).status, 400)
      }
      if (!bad) return
      const { body } = await call('POST', '/products', { title: 'x' })
      const view = await call('POST', `/products/${body.data.id}/views`, { title: bad, elements: [] })
      t.equal(view.status, 400)
      t.strictSame((await call('GET', `/products/${body.data.id}/views`)).body.data, [])
    })
  })
}

onServers(
  "a large blob passes through a host's Kysely, whose driver knows only strings",
  async (t, engine) => {
    const address = await freshAddress(t, engine)
    const pool = createPool({ uri: address, charset: 'utf8mb4' })
    t.teardown(() => pool.promise().end())
    const database = new Kysely({ dialect: new MysqlDialect({ pool }) })
    const host = await existing(t, engine, [], { address, database })
    const options = { ...allLetters, filler: 'x'.repeat(600_000) }
    const { status, body } = await host.call('POST', '/products', { title: 'Mug', options })
    t.strictSame([status, body.data.options], [201, options])
  },
)

const narrow = [
  'ALTER TABLE wp_svc_products MODIFY title varchar(50), MODIFY options text, MODIFY thumbnail varchar(100)',
  'ALTER TABLE wp_svc_views MODIFY title varchar(50), MODIFY elements text, MODIFY options tinytext',
  'ALTER TABLE wp_svc_categories MODIFY title varchar(50)',
]

onServers(
  'without strict mode, too long a value gives 400 naming field and limit, and nothing is cut',
  async (t, engine) => {
    // No other session of the server changes its mode.
    const address = await freshAddress(t, engine)
    const pool = createPool({ uri: address, charset: 'utf8mb4' })
    pool.on('connection', (connection) => connection.query("set sql_mode = ''"))
    t.teardown(() => pool.promise().end())
    const { call, db, t: names } = await existing(t, engine, narrow, { address, database: pool })

    const characters = (count: number) => '🖌'.repeat(count)
    const made = await call('POST', '/products', { title: characters(50), thumbnail: 'x'.repeat(100) })
    t.equal(made.status, 201)
    const { id } = made.body.data
    const view = (await call('POST', `/products/${id}/views`, { title: 'Front' })).body.data
    // 65,535 bytes of JSON text, of which {"a":""} takes 8.
    const full = { a: 'x'.repeat(65_535 - 8) }
    t.equal((await call('PATCH', `/products/${id}`, { options: full })).status, 200)
    const before = await db.selectFrom(names.products).selectAll().execute()

    const refused: [string, string, object, RegExp][] = [
      ['POST', '/products', { title: characters(51) }, /title is too long: .* at most 50 characters/],
      ['PATCH', `/products/${id}`, { title: characters(51) }, /title is too long/],
      [
        'PATCH',
        `/products/${id}`,
        { thumbnail: 'x'.repeat(101) },
        /thumbnail is too long: .* at most 100 characters/,
      ],
      ['PATCH', `/products/${id}`, { options: { b: 1 } }, /options is too long: .* at most 65535 bytes/],
      ['POST', '/products', { duplicate_product_id: id }, /title is too long/],
      ['POST', '/categories', { title: 'x'.repeat(51) }, /title is too long/],
      [
        'PATCH',
        `/views/${view.id}`,
        { elements: ['ü'.repeat(32_768)] },
        /elements is too long: .* at most 65535 bytes/,
      ],
      [
        'PATCH',
        `/views/${view.id}`,
        { options: { a: 'x'.repeat(250) } },
        /options is too long: .* at most 255 bytes/,
      ],
      ['POST', `/products/${id}/views`, { title: 'x'.repeat(51) }, /title is too long/],
    ]
    for (const [method, path, body, words] of refused) {
      const response = await call(method, path, body)
      t.equal(response.status, 400, `${method} ${path}`)
      t.match(response.body.message, words)
    }
    t.strictSame(await db.selectFrom(names.products).selectAll().execute(), before)
    t.strictSame((await call('GET', `/views/${view.id}`)).body.data, view)
  },
)

onServers('a view copied within such tables arrives whole or not at all', async (t, engine) => {
  const { call } = await existing(t, engine, narrow)
  const { id } = (await call('POST', '/products', { title: 'Mug' })).body.data
  const title = 'x'.repeat(46)
  const view = (await call('POST', `/products/${id}/views`, { title })).body.data
  const copy = await call('POST', `/views/${view.id}/duplicate`, {})
  t.equal(copy.status, 400)
  t.match(copy.body.data.params, { title: /too long/ })
  t.equal((await call('POST', `/views/${view.id}/duplicate`, { title: 'Back' })).status, 201)
})

t.test(
  'MyISAM tables serve, are named in a warning at start, and their writes are never tried twice',
  async (t) => {
    // MySQL with GTIDs refuses them in transactions.
    const engine = 'MariaDB'
    const lines: { level: number; msg: string; tables?: string[] }[] = []
    const stream = new Writable({
      write(line, _encoding, done) {
        lines.push(JSON.parse(String(line)))
        done()
      },
    })
    const host = await existing(
      t,
      engine,
      ['products', 'views'].map((table) => `ALTER TABLE wp_svc_${table} ENGINE=MyISAM`),
      { server: { logger: { level: 'warn', stream } } },
    )
    const warning = lines.find((line) => line.tables)
    t.strictSame(warning?.tables?.toSorted(), ['wp_svc_products', 'wp_svc_views'])
    t.match(warning?.msg, /no transactions/)
    const { call, db, t: names, address } = host
    const { read } = await roundTrip(host)
    t.strictSame(read.options, allLetters)
    t.equal(
      (await call('PATCH', `/products/${read.id}`, { sorted_views: [{ id: read.views[0].id }] })).status,
      200,
    )

    // Somebody else holds the assignments, after the product itself was written.
    const pool = createPool({ uri: address })
    const holder = await pool.promise().getConnection()
    t.teardown(() => pool.promise().end())
    await db.insertInto(names.category_products).values({ category_id: 1, product_id: read.id }).execute()
    await db.insertInto(names.categories).values({ title: 'Mugs', user_id: 0 }).execute()
    await holder.query('begin')
    await holder.query(`select * from ${names.category_products} for update`)
    const limited = createPool({ uri: address, charset: 'utf8mb4' })
    limited.on('connection', (connection) => connection.query('set innodb_lock_wait_timeout = 1'))
    t.teardown(() => limited.promise().end())
    let begun = 0
    const database = new Kysely({
      dialect: new MysqlDialect({ pool: limited }),
      log: ({ query }) => {
        if (query.sql === 'begin') begun++
      },
    })
    const second = await build(t, { engine, address, database })
    const response = await second.call('PATCH', `/products/${read.id}`, { title: 'Written', categories: [] })
    t.equal(response.status, 503)
    t.equal(begun, 1)
    await holder.query('rollback')
    holder.release()
  },
)

onServers(
  'a blob that no statement can carry gives 413, and the next request is served',
  async (t, engine) => {
    const server = await ownServer(t, engine, { flags: ['--max-allowed-packet=2M'] })
    const { db, close } = await connect({ database: server.url('mysql') })
    await run(db, 'create database shop character set utf8mb4')
    await close()
    const host = await existing(t, engine, [], { address: server.url('shop') })
    const { call } = host
    const { id } = (await call('POST', '/products', { title: 'Mug' })).body.data
    const view = (await call('POST', `/products/${id}/views`, { title: 'Front' })).body.data
    const MiB = 1024 * 1024
    const blobs = {
      characters: ['x'.repeat(2 * MiB)],
      'quotes that grow on their way': [`${'"'.repeat(MiB)}`],
    }
    for (const [name, elements] of Object.entries(blobs)) {
      const response = await call('PATCH', `/views/${view.id}`, { elements })
      t.equal(response.status, 413, name)
      t.equal(response.body.code, 'svc_body_too_large')
      t.match(response.body.message, /^The value of elements is larger than/)
    }
    // Each of them would pass, but not both in one statement.
    const both = { elements: ['x'.repeat(0.98 * MiB)], options: { a: '"'.repeat(0.49 * MiB) } }
    const response = await call('PATCH', `/views/${view.id}`, both)
    t.equal(response.status, 413)
    t.strictSame((await call('GET', `/views/${view.id}`)).body.data, view)

    // One after the other both are stored, and read back in one row.
    const large = { elements: ['x'.repeat(1.6 * MiB)], options: { a: 'y'.repeat(1.6 * MiB) } }
    t.equal((await call('PATCH', `/views/${view.id}`, { elements: large.elements })).status, 200)
    t.equal((await call('PATCH', `/views/${view.id}`, { options: large.options })).status, 200)
    t.match((await call('GET', `/views/${view.id}`)).body.data, large)
    t.equal((await call('POST', `/views/${view.id}/duplicate`, {})).status, 413)
    t.equal((await call('POST', '/products', { duplicate_product_id: id })).status, 201)
  },
)

/** A column with these limits. */
function columnWith(limits: ColumnLimits) {
  const columns = new Map([['title', limits]])
  const known = encoderOf<'products'>({ tables: new Map([['products', { engine: 'InnoDB', columns }]]) })
  return {
    text: (value: string) => known.text('products', 'title', 'title', value),
    replaced: (value: string) => known.replaced('products', 'title', value),
  }
}

t.test('what is only shown has other characters in place of those that a column cannot hold', (t) => {
  const text = 'a€Ж🖌\ud800'
  for (const [charset, shown] of [
    ['utf8mb4', 'a€Ж🖌\ufffd'],
    ['utf8mb3', 'a€Ж\ufffd\ufffd'],
    ['latin1', 'a€???'],
    ['latin7', 'a????'],
  ] as const)
    t.equal(columnWith({ charset }).replaced(text), shown, charset)
  t.equal(columnWith({}).replaced(text), 'a€Ж🖌\ufffd')
  t.end()
})

t.test('limits count characters or bytes, to the last one', (t) => {
  const refused = (limits: ColumnLimits, value: string, message: RegExp) =>
    t.throws(() => columnWith(limits).text(value), { code: 'rest_invalid_param', message })
  t.equal(columnWith({ chars: 3 }).text('ä🖌b'), 'ä🖌b')
  refused({ chars: 3 }, 'ä🖌bc', /at most 3 characters/)
  t.equal(columnWith({ bytes: 7 }).text('ä🖌b'), 'ä🖌b')
  refused({ bytes: 6 }, 'ä🖌b', /at most 6 bytes/)
  refused({}, '\0', /NUL/)
  refused({}, 'a\ud800', /lone surrogate/)
  refused({ charset: 'latin1' }, 'Ж', /charset latin1 cannot store/)
  t.end()
})
