// `svc-api check`: what it finds, on each engine, and that it changes nothing.
import { existsSync } from 'node:fs'
import t from 'tap'
import { ensureToken, migrate } from '../../../plugins/index.ts'
import { connect } from '../../../src/db/connect.ts'
import { freshAddress, onEachEngine } from '../../support/hosts/build.ts'
import { checked } from '../../support/hosts/checked.ts'
import { commandIn } from '../../support/hosts/command.ts'
import { onServers } from '../../support/hosts/fresh-host.ts'

t.test('a complete installation has no problem, and the exit code is 0', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await freshAddress(t, engine)
    await migrate({ database })
    await ensureToken({ database })
    const variables = { DATABASE_URL: database, SITE_URL: 'https://shop.example' }
    const { code, ok, on } = await checked(t, variables)
    t.equal(code, 0)
    t.ok(ok)
    for (const subject of ['database', 'tables', 'values', 'token', 'toggles', 'site', 'uploads'])
      t.equal(on(subject)?.level, 'ok', subject)
    t.match(on('database')?.message, new RegExp(` \\(${engine} \\d+\\.[\\d.]+\\), table prefix`))
    const { stdout } = await commandIn(t)(['check'], variables)
    t.match(stdout, /^ok +tables +All \d+ tables have all their columns\.$/m)
  }),
)

t.test('it names what is missing and what would be created, and creates nothing', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await freshAddress(t, engine)
    await migrate({ database })
    const { db, close } = await connect({ database })
    t.teardown(close)
    await db.schema.dropTable('wp_svc_print_profiles').execute()
    await db.schema.alterTable('wp_svc_products').dropColumn('type').execute()
    const expected = await migrate({ database, dryRun: true })
    const { code, ok, on } = await checked(t, { DATABASE_URL: database })
    t.equal(code, 1)
    t.notOk(ok)
    t.match(on('tables'), {
      level: 'problem',
      message: 'wp_svc_products.type, wp_svc_print_profiles',
      details: { missing: ['wp_svc_products.type', 'wp_svc_print_profiles'], statements: expected },
    })
    t.strictSame(await migrate({ database, dryRun: true }), expected)
  }),
)

t.test('it counts the same tables as migrate', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await freshAddress(t, engine)
    const statements = await migrate({ database, dryRun: true })
    const created = statements.flatMap(
      (line) => /^CREATE TABLE (?:IF NOT EXISTS )?`?(\w+)/i.exec(line)?.[1] ?? [],
    )
    const { on } = await checked(t, { DATABASE_URL: database })
    const named = on('tables')?.message.match(/\bwp_\w+/g) ?? []
    t.strictSame([...named].sort(), created.sort())
  }),
)

t.test('a prefix without tables names those of the other installations', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await freshAddress(t, engine)
    await migrate({ database })
    const { code, on } = await checked(t, { DATABASE_URL: database, TABLE_PREFIX: 'shop_' })
    const sentence =
      'TABLE_PREFIX: no table of an installation begins with "shop_"; the database holds those with "wp_".'
    t.match([code, on('tables')?.message], [1, sentence])
    const { stderr } = await commandIn(t)(['token'], { DATABASE_URL: database, TABLE_PREFIX: 'shop_' })
    t.equal(stderr, `${sentence} Name one of them, or run "svc-api migrate" for one more installation.\n`)
  }),
)

onServers('a column that is never added is a problem of its own', async (t, engine) => {
  const database = await freshAddress(t, engine)
  await migrate({ database })
  const { db, close } = await connect({ database })
  t.teardown(close)
  await db.schema.alterTable('wp_svc_views').dropColumn('elements').execute()
  const { code, on } = await checked(t, { DATABASE_URL: database })
  t.equal(code, 1)
  t.match(on('tables'), { level: 'problem', message: 'never added automatically: wp_svc_views.elements' })
})

onServers(
  'tables without transactions are a warning, a problem where the server refuses writes to them, and columns without all characters a warning',
  async (t, engine) => {
    const database = await freshAddress(t, engine)
    await migrate({ database })
    const { db, close, mixesEngines } = await connect({ database })
    t.teardown(close)
    const { sql } = await import('kysely')
    await sql`alter table wp_svc_views engine=MyISAM`.execute(db)
    await sql`alter table wp_svc_products modify title text character set latin1`.execute(db)
    const { code, on } = await checked(t, { DATABASE_URL: database })
    t.equal(code, mixesEngines ? 0 : 1)
    const level = mixesEngines ? 'warning' : 'problem'
    t.match(on('engines'), { level, details: [{ table: 'wp_svc_views', engine: 'MyISAM' }] })
    t.match(on('charsets'), {
      level: 'warning',
      details: [{ table: 'wp_svc_products', column: 'title', charset: 'latin1' }],
    })
  },
)

t.test('a missing token is a warning, and the groups that are off are named', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await freshAddress(t, engine)
    await migrate({ database })
    const { db, t: names, close } = await connect({ database })
    t.teardown(close)
    await db
      .insertInto(names.options)
      .values({ option_name: 'svc_api_fonts_enabled', option_value: 'no', autoload: 'yes' })
      .execute()
    const { code, on } = await checked(t, { DATABASE_URL: database })
    t.equal(code, 0)
    t.equal(on('token')?.level, 'warning')
    t.strictSame(on('toggles')?.details?.off, ['fonts'])
    const stored = db.selectFrom(names.options).select('option_id').where('option_name', '=', 'svc_api_token')
    t.equal(await stored.executeTakeFirst(), undefined, 'and no token is generated')
  }),
)

t.test('an uploads folder in which nothing can be stored is a problem', async (t) => {
  const database = await freshAddress(t, 'SQLite')
  await migrate({ database })
  const file = await checked(t, { DATABASE_URL: database, UPLOADS_DIR: 'file' })
  t.match([file.code, file.on('uploads')], [1, { level: 'problem', message: /file is not a folder/ }])
  const absent = await checked(t, { DATABASE_URL: database, UPLOADS_DIR: 'none/uploads' })
  t.match([absent.code, absent.on('uploads')], [0, { level: 'warning', message: /does not exist/ }])
  t.notOk(existsSync(`${absent.folder}/none`))
})

t.test('an SQLite file that does not exist is not created', async (t) => {
  const { code, folder, on } = await checked(t, { DATABASE_URL: 'sqlite:none/shop.sqlite' })
  t.equal(code, 1)
  t.match(on('database')?.message, /none\/shop\.sqlite does not exist yet/)
  t.ok((on('tables')?.details?.missing?.length ?? 0) > 10)
  t.notOk(existsSync(`${folder}/none`))
})

onServers('what takes longer than a second reports its progress on stderr', async (t, engine) => {
  const database = await freshAddress(t, engine)
  await migrate({ database })
  const { db, close } = await connect({ database })
  t.teardown(close)
  const { sql } = await import('kysely')
  await db.connection().execute(async (connection) => {
    await sql`lock tables wp_svc_designs write`.execute(connection)
    const report = checked(t, { DATABASE_URL: database })
    await new Promise((over) => setTimeout(over, 4000))
    await sql`unlock tables`.execute(connection)
    const { code, progress } = await report
    t.equal(code, 0)
    t.match(progress, /^Checking the database: .*\(\d+ s\)$/m)
  })
})
