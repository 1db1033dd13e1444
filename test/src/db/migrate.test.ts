// What migrate creates, what it leaves alone, and what a start says where it was not run.
import { createPool } from 'mysql2/promise'
import t, { type Test } from 'tap'
import { migrate, svcApi } from '../../../plugins/index.ts'
import { type Connection, connect } from '../../../src/db/connect.ts'
import { shapes, tableNames } from '../../../src/db/tables.ts'
import { run, schemaOf } from '../../support/fixtures/schema.ts'
import { build, type Engine, freshAddress, onEachEngine } from '../../support/hosts/build.ts'
import { Fastify } from '../../support/hosts/fastify.ts'
import { onServers } from '../../support/hosts/fresh-host.ts'
import { startPeer } from '../../support/hosts/process.ts'

/** A fresh database and a door to it. */
async function empty(t: Test, engine: Engine): Promise<Connection & { database: string }> {
  const database = await freshAddress(t, engine)
  const connection = await connect({ database })
  t.teardown(() => connection.close())
  return { ...connection, database }
}

const tablesIn = (schema: Record<string, string>) =>
  Object.keys(schema).filter((name) => /CREATE TABLE/.test(schema[name] ?? ''))
const standardNames = tableNames.map((table) => `wp_${shapes[table].name}`).toSorted()

t.test('an empty database gets every table, once', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { db, database } = await empty(t, engine)
    const done = await migrate({ database })
    const schema = await schemaOf(db, engine)
    t.strictSame(tablesIn(schema).toSorted(), standardNames)
    t.ok(done.length >= standardNames.length)
    t.strictSame(await migrate({ database }), [])
    t.strictSame(await schemaOf(db, engine), schema)
  }),
)

t.test('a dry run tells the statements of the real run and changes nothing', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { db, database } = await empty(t, engine)
    const planned = await migrate({ database, dryRun: true, indexes: true })
    t.strictSame(await schemaOf(db, engine), {})
    t.strictSame(await migrate({ database, indexes: true }), planned)
  }),
)

onServers('tables that MariaDB creates are utf8mb4 on InnoDB', async (t, engine) => {
  const { db, database } = await empty(t, engine)
  await migrate({ database })
  for (const [name, text] of Object.entries(await schemaOf(db, engine)))
    t.match(text, /ENGINE=InnoDB .*CHARSET=utf8mb4/, name)
})

t.test('two processes that migrate at once both succeed, and together create everything once', (t) =>
  onEachEngine(t, async (t, engine) => {
    const peers = await Promise.all([startPeer(t), startPeer(t)])
    const expected = await empty(t, engine)
    await migrate({ database: expected.database, indexes: true })
    for (let round = 0; round < 3; round++) {
      const database = await freshAddress(t, engine)
      const done = (await Promise.all(
        peers.map((peer) => peer.order({ do: 'migrate', database, indexes: true })),
      )) as string[][]
      const { db, close } = await connect({ database })
      t.teardown(close)
      t.strictSame(await schemaOf(db, engine), await schemaOf(expected.db, engine))
      t.ok(done.flat().length >= standardNames.length)
      t.strictSame(await migrate({ database, indexes: true }), [])
    }
  }),
)

onServers(
  'migrate: three processes at once import legacy rows once, also without transactions',
  async (t, engine) => {
    const peers = await Promise.all([startPeer(t), startPeer(t), startPeer(t)])
    const { db, database, t: names } = await empty(t, engine)
    await migrate({ database })
    const plain = ['options', 'pricing_rules', 'user_interfaces'] as const
    if (engine === 'MariaDB')
      await run(db, ...plain.map((table) => `ALTER TABLE ${names[table]} ENGINE=MyISAM`))
    const rules = Array.from({ length: 20 }, (_, n) => ({ name: `Rule ${n}`, data: {} }))
    const legacy = [
      { option_name: 'svc_pr_groups', option_value: JSON.stringify(rules), autoload: 'yes' },
      { option_name: 'svc_ui_layout_one', option_value: JSON.stringify({ name: 'One' }), autoload: 'yes' },
    ]
    for (let round = 0; round < 3; round++) {
      await run(db, ...plain.map((table) => `DELETE FROM ${names[table]}`))
      await db.insertInto(names.options).values(legacy).execute()
      await Promise.all(peers.map((peer) => peer.order({ do: 'migrate', database })))
      const found = await db.selectFrom(names.pricing_rules).select('name').execute()
      t.equal(found.length, 20)
      t.equal((await db.selectFrom(names.user_interfaces).select('ID').execute()).length, 1)
    }
  },
)

t.test('indexes of ours come only when asked for, and can be dropped again', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { db, database } = await empty(t, engine)
    await migrate({ database })
    const plain = await schemaOf(db, engine)
    t.notMatch(JSON.stringify(plain), /svc_idx_/)
    const done = await migrate({ database, indexes: true })
    t.ok(done.length > 0 && done.every((statement) => /^CREATE INDEX `\w*svc_idx_\w+` ON/.test(statement)))
    for (const statement of done) {
      const [, index, table] = /INDEX `(\w+)` ON `(\w+)`/.exec(statement) ?? []
      await run(db, `DROP INDEX \`${index}\`${engine !== 'SQLite' ? ` ON \`${table}\`` : ''}`)
    }
    t.strictSame(await schemaOf(db, engine), plain)
  }),
)

t.test('a start that may migrate makes what the function makes', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { db, database } = await empty(t, engine)
    await migrate({ database })
    const plain = await schemaOf(db, engine)
    const started = await empty(t, engine)
    await build(t, { engine, address: started.database, migrate: true })
    t.strictSame(await schemaOf(started.db, engine), plain)
    await build(t, { engine, address: started.database, migrate: { indexes: true } })
    t.match(JSON.stringify(await schemaOf(started.db, engine)), /svc_idx_/)
  }),
)

/** An old installation: other types, an extra column and table, and none of the columns that came later. */
const oldInstallation = (engine: Engine): string[] => {
  const id =
    engine !== 'SQLite'
      ? 'ID bigint(20) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY'
      : 'ID INTEGER PRIMARY KEY'
  const end = engine !== 'SQLite' ? ') DEFAULT CHARSET=utf8mb3' : ')'
  return [
    `CREATE TABLE wp_svc_products (${id}, title text NOT NULL, options text, thumbnail text, shop_note varchar(20) DEFAULT 'kept'${end}`,
    `CREATE TABLE wp_svc_views (${id}, product_id bigint NOT NULL, title text NOT NULL, thumbnail text, elements longtext, view_order int${end}`,
    `CREATE TABLE wp_svc_orders (${id}, customer_name varchar(300), customer_mail varchar(100), views longtext${end}`,
    `CREATE TABLE wp_svc_print_jobs (${id}, guid varchar(64), status varchar(32), created_at timestamp DEFAULT CURRENT_TIMESTAMP${end}`,
    `CREATE TABLE wp_somebody_else (${id}, note text${end}`,
    `INSERT INTO wp_svc_products (ID, title, options, thumbnail) VALUES (7, 'Old mug', '{"a":1}', 'https://x.example/m.png')`,
    `INSERT INTO wp_svc_views (ID, product_id, title, thumbnail, elements, view_order) VALUES (9, 7, 'Front', '', '[{"x":2}]', 0)`,
    `INSERT INTO wp_svc_orders (customer_name, customer_mail, views) VALUES ('Ann', 'ann@x.example', '[]')`,
    `INSERT INTO wp_svc_print_jobs (guid, status) VALUES ('5f3e1c2a9b7d4', 'completed')`,
  ]
}

t.test('an old installation gets the later columns, and its rows are read through the API', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { db, database } = await empty(t, engine)
    await run(db, ...oldInstallation(engine))
    const { call } = await build(t, { engine, address: database })
    const { body } = await call('GET', '/products/7?include_views=1')
    t.strictSame(body.data, {
      id: 7,
      title: 'Old mug',
      type: 'catalog',
      thumbnail: 'https://x.example/m.png',
      options: { a: 1 },
      user_id: 0,
      categories: [],
      views: [
        { id: 9, product_id: 7, title: 'Front', thumbnail: '', elements: [{ x: 2 }], options: {}, order: 0 },
      ],
    })
    t.equal((await call('PATCH', '/views/9', { options: { b: 2 } })).status, 200)
    const orders = await db
      .selectFrom('wp_svc_orders' as 'orders')
      .selectAll()
      .execute()
    t.match(orders, [{ customer_name: 'Ann', views: '[]', print_order: null }])
    const jobs = await db
      .selectFrom('wp_svc_print_jobs' as 'print_jobs')
      .selectAll()
      .execute()
    t.match(jobs, [{ guid: '5f3e1c2a9b7d4', details: null, data: null }])
  }),
)

onServers(
  'zero dates of an old table are no obstacle in sessions that refuse them, and stay',
  async (t, engine) => {
    const { db, database } = await empty(t, engine)
    const pool = createPool({ uri: database, charset: 'utf8mb4', connectionLimit: 1 })
    t.teardown(() => pool.end())
    for (const statement of [
      "set sql_mode = ''",
      "CREATE TABLE wp_svc_orders (ID int AUTO_INCREMENT PRIMARY KEY, customer_name text, customer_mail text, views text, created_date datetime NOT NULL DEFAULT '0000-00-00 00:00:00') ENGINE=MyISAM",
      'INSERT INTO wp_svc_orders (ID) VALUES (1)',
      "set sql_mode = 'TRADITIONAL'",
    ])
      await pool.query(statement)
    t.match((await migrate({ database: pool })).join(), /wp_svc_orders` ADD COLUMN `print_order`/)
    t.match((await schemaOf(db, engine)).wp_svc_orders, /DEFAULT '0000-00-00 00:00:00',\n.*print_order/)
    const [rows] = await pool.query(
      'select @@sql_mode as mode, cast(created_date as char) as date from wp_svc_orders',
    )
    t.match(rows, [{ mode: /NO_ZERO_DATE/, date: '0000-00-00 00:00:00' }], 'the session is as it was')
  },
)

t.test('what an installation has of its own stays as it is: types, charsets, other columns and tables', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { db, database } = await empty(t, engine)
    await run(db, ...oldInstallation(engine))
    const before = await schemaOf(db, engine)
    const planned = await migrate({ database, dryRun: true })
    t.strictSame(await schemaOf(db, engine), before)
    t.strictSame(
      planned
        .filter((statement) => !statement.startsWith('CREATE'))
        .map((statement) => statement.split(' ').slice(0, 6).join(' ')),
      [
        'products` ADD COLUMN `user_id`',
        'products` ADD COLUMN `type`',
        'views` ADD COLUMN `options`',
        'orders` ADD COLUMN `created_date`',
        'orders` ADD COLUMN `print_order`',
        'print_jobs` ADD COLUMN `details`',
        'print_jobs` ADD COLUMN `data`',
      ].map((end) => `ALTER TABLE \`wp_svc_${end}`),
    )
    await migrate({ database, indexes: true })
    const after = await schemaOf(db, engine)
    t.equal(after.wp_somebody_else, before.wp_somebody_else)
    for (const [name, text] of Object.entries(before)) {
      const lost = text
        .split(/,\n|, /)
        .filter((part) => !after[name]?.includes(part.replace(/\n?\).*$/s, '')))
      t.strictSame(lost, [], name)
    }
  }),
)

onServers(
  'a complete installation of other types is not touched at all, not even by a start',
  async (t, engine) => {
    const { db, database } = await empty(t, engine)
    await migrate({ database })
    await run(
      db,
      'ALTER TABLE wp_svc_products ENGINE=MyISAM, MODIFY title varchar(50) CHARACTER SET latin1, ADD extra int DEFAULT 5',
      'ALTER TABLE wp_svc_views MODIFY elements mediumtext CHARACTER SET utf8mb3, DROP KEY product_id',
      'ALTER TABLE wp_svc_categories COLLATE utf8mb4_bin, ADD KEY mine (title(20))',
      'ALTER TABLE wp_options DROP KEY autoload, MODIFY autoload char(3)',
    )
    const before = await schemaOf(db, engine)
    t.strictSame(await migrate({ database }), [])
    await build(t, { engine, address: database })
    t.strictSame(await schemaOf(db, engine), before)
  },
)

async function startError(database: string, options: object = {}): Promise<string> {
  const app = Fastify()
  app.register(svcApi, { database, siteUrl: 'https://shop.example', ...options })
  const error = await app.ready().then(
    () => undefined,
    (failure: Error) => failure,
  )
  await app.close()
  return String(error?.message)
}

t.test('a start against missing tables names them and the way out, and creates nothing', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { db, database } = await empty(t, engine)
    await migrate({ database })
    await run(db, 'DROP TABLE wp_svc_views', 'DROP TABLE wp_svc_orders')
    const before = await schemaOf(db, engine)
    t.equal(
      await startError(database),
      'database: wp_svc_views, wp_svc_orders are missing. Call migrate() once, or pass migrate: true, to create what is missing.',
    )
    t.strictSame(await schemaOf(db, engine), before)
  }),
)

t.test('tables of changes must be there only where changes are stored', async (t) => {
  const { db, database } = await empty(t, 'SQLite')
  await migrate({ database })
  await run(db, 'DROP TABLE wp_svc_api_outbox', 'DROP TABLE wp_svc_api_audit')
  t.equal(await startError(database), 'undefined', 'it starts')
  t.match(await startError(database, { audit: true }), /^database: wp_svc_api_audit is missing/)
  const webhooks = [{ url: 'https://erp.example/', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }]
  t.match(await startError(database, { webhooks }), /^database: wp_svc_api_outbox is missing/)
})

t.test('each column that installations may lack is added', async (t) => {
  const { db, database } = await empty(t, 'SQLite')
  await migrate({ database })
  const whole = await schemaOf(db, 'SQLite')
  const addable = tableNames.flatMap((table) =>
    Object.entries(shapes[table].columns).flatMap(([column, about]) =>
      'addable' in about ? [{ table: `wp_${shapes[table].name}`, column }] : [],
    ),
  )
  t.ok(addable.length > 8)
  for (const { table, column } of addable) {
    await run(db, `ALTER TABLE ${table} DROP COLUMN "${column}"`)
    t.match((await migrate({ database })).join(), new RegExp(`ALTER TABLE .${table}. ADD COLUMN .${column}.`))
  }
  t.strictSame(Object.keys(await schemaOf(db, 'SQLite')).sort(), Object.keys(whole).sort())
  const late = [
    'print_jobs.details',
    'print_jobs.data',
    'orders.print_order',
    'products.type',
    'views.options',
  ]
  const found = addable.map(({ table, column }) => `${table.slice('wp_svc_'.length)}.${column}`)
  for (const name of late) t.ok(found.includes(name), name)
})

t.test('a start with the prefix of nobody names the one that has tables', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { database } = await empty(t, engine)
    await migrate({ database, tablePrefix: 'shop_' })
    t.match(await startError(database), /^tablePrefix: .*shop_/)
  }),
)

t.test('a column that no installation may lack is named, and migrate does not invent it', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { db, database } = await empty(t, engine)
    await migrate({ database })
    await run(
      db,
      'DROP TABLE wp_svc_categories',
      'CREATE TABLE wp_svc_categories (ID INTEGER PRIMARY KEY, user_id INTEGER)',
    )
    const sentence = /wp_svc_categories\.title is missing.*is not added automatically/
    await t.rejects(migrate({ database }), { message: sentence })
    t.match(await startError(database, { migrate: true }), sentence)
  }),
)

t.test('prefix and table map decide the names; two installations live in one database', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { db, database } = await empty(t, engine)
    const mapped = { tablePrefix: 'shop2_', tables: { views: 'my_views' } }
    await migrate({ database, ...mapped })
    t.ok(tablesIn(await schemaOf(db, engine)).includes('my_views'))
    const one = await build(t, { engine, address: database })
    const two = await build(t, { engine, address: database, ...mapped })
    await one.call('POST', '/products', { title: 'One' })
    const { body } = await two.call('POST', '/products', { title: 'Two' })
    t.equal((await two.call('POST', `/products/${body.data.id}/views`, { title: 'Front' })).status, 201)
    t.strictSame((await one.call('GET', '/products?fields=title')).body.data, [{ title: 'One' }])
    t.strictSame((await two.call('GET', '/products?fields=title')).body.data, [{ title: 'Two' }])
    t.match(
      await db
        .selectFrom('my_views' as 'views')
        .select('title')
        .execute(),
      [{ title: 'Front' }],
    )
  }),
)

t.test(
  'names that are no plain identifiers are refused before anything is asked of the database',
  async (t) => {
    const refused =
      /^tablePrefix: must be at most 48 letters|^tables\.views: must be the name of a table, 1 to 64 letters/
    for (const tablePrefix of [
      'wp`_',
      'wp-',
      'x.y_',
      'wp_ ',
      'a'.repeat(64),
      'wp_;drop table wp_options;--',
      'ü_',
      "wp'_",
    ])
      t.match(await startError('sqlite::memory:', { tablePrefix, migrate: true }), refused, tablePrefix)
    t.match(await startError('sqlite::memory:', { tables: { views: 'a b' } }), refused)
    t.match(
      await startError('sqlite::memory:', { tables: { nonsense: 'x' } }),
      /^tables\.nonsense is not an option; known are options, products/,
    )
  },
)
