// `svc-api check`: what it finds, on both engines, and that it changes nothing.
import { existsSync } from 'node:fs'
import t, { type Test } from 'tap'
import { ensureToken, migrate } from '../../../plugins/index.ts'
import { connect } from '../../../src/db/connect.ts'
import { foreignTables } from '../../../src/orders/tables.ts'
import { freshAddress, onEachEngine } from '../../support/build.ts'
import { commandIn } from '../../support/command.ts'
import { createShop } from '../../support/shop.ts'

interface Finding {
  level: string
  subject: string
  message: string
  details?: { missing?: string[]; statements?: string[]; off?: string[] } & object[]
}

/** Runs the check, and finds its findings by subject. */
async function checked(t: Test, variables: Record<string, string>) {
  const folder = t.testdir({ uploads: {}, file: '' })
  const run = commandIn(t, folder)
  const outcome = await run(['check', '--json'], { UPLOADS_DIR: 'uploads', ...variables })
  const { ok, findings } = JSON.parse(outcome.stdout) as { ok: boolean; findings: Finding[] }
  return {
    ...outcome,
    ok,
    folder,
    on: (subject: string) => findings.find((each) => each.subject === subject),
  }
}

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

t.test('a column that is never added is a problem of its own', async (t) => {
  const database = await freshAddress(t, 'MariaDB')
  await migrate({ database })
  const { db, close } = await connect({ database })
  t.teardown(close)
  await db.schema.alterTable('wp_svc_views').dropColumn('elements').execute()
  const { code, on } = await checked(t, { DATABASE_URL: database })
  t.equal(code, 1)
  t.match(on('tables'), { level: 'problem', message: 'never added automatically: wp_svc_views.elements' })
})

t.test('it names each value that cannot be read, and reads all encodings of the CMS', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await freshAddress(t, engine)
    await migrate({ database })
    const { db, t: names, close } = await connect({ database })
    t.teardown(close)
    // More rows than are read at once, and more bytes.
    const rows = Array.from({ length: 1201 }, (_, i) => ({
      title: `${i}`,
      options: i % 100 === 0 ? `{"a":"${'x'.repeat(900_000)}"}` : null,
    }))
    for (let at = 0; at < rows.length; at += 400)
      await db
        .insertInto(names.products)
        .values(rows.slice(at, at + 400))
        .execute()
    await db
      .insertInto(names.views)
      .values([
        { product_id: 1, elements: '[{\\"a\\":1}]', options: 'a:1:{s:1:"b";i:2;}', view_order: 0 },
        { product_id: 1, elements: '[{&quot;a&quot;:1}]', options: '', view_order: 1 },
      ])
      .execute()
    const broken = { options: '{"a":' }
    await db.updateTable(names.products).set(broken).where('ID', 'in', [1, 600, 1201]).execute()
    await db
      .insertInto(names.options)
      .values({ option_name: 'svc_text_templates', option_value: 'a:1:{broken', autoload: 'no' })
      .execute()
    const { code, on, stderr } = await checked(t, { DATABASE_URL: database })
    t.equal(code, 1, stderr)
    const column = { table: 'wp_svc_products', column: 'options' }
    t.strictSame(on('values')?.details, [
      ...[1, 600, 1201].map((row) => ({ ...column, row })),
      { table: 'wp_options', column: 'option_value', row: 'svc_text_templates' },
    ])
    t.match(
      on('values')?.message,
      /^4 of the values of 1203 rows cannot be read: wp_svc_products\.options of 1,/,
    )
  }),
)

t.test('designs of the shop in orders that cannot be read are named, other meta is not', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await freshAddress(t, engine)
    await migrate({ database })
    const connection = await connect({ database })
    t.teardown(connection.close)
    await createShop({ connection, engine } as never, ['woocommerce_order_itemmeta'])
    const meta = ['{"title":"Mug"}', '{"title":', 'a:0:{}'].map((meta_value) => ({
      order_item_id: 1,
      meta_key: '_svc_data',
      meta_value,
    }))
    const other = { order_item_id: 1, meta_key: '_note', meta_value: '{"no json' }
    await foreignTables(connection)
      .db.insertInto('wp_woocommerce_order_itemmeta' as 'woocommerce_order_itemmeta')
      .values([...meta, other])
      .execute()
    const { code, on } = await checked(t, { DATABASE_URL: database })
    t.equal(code, 1)
    t.strictSame(on('values')?.details, [
      { table: 'wp_woocommerce_order_itemmeta', column: 'meta_value', row: 2 },
    ])
  }),
)

t.test('tables without transactions and columns without all characters are warnings', async (t) => {
  const database = await freshAddress(t, 'MariaDB')
  await migrate({ database })
  const { db, close } = await connect({ database })
  t.teardown(close)
  const { sql } = await import('kysely')
  await sql`alter table wp_svc_views engine=MyISAM`.execute(db)
  await sql`alter table wp_svc_products modify title text character set latin1`.execute(db)
  const { code, on } = await checked(t, { DATABASE_URL: database })
  t.equal(code, 0)
  t.match(on('engines'), { level: 'warning', details: [{ table: 'wp_svc_views', engine: 'MyISAM' }] })
  t.match(on('charsets'), {
    level: 'warning',
    details: [{ table: 'wp_svc_products', column: 'title', charset: 'latin1' }],
  })
})

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

t.test('--files compares the stored files with the rows that name them', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await freshAddress(t, engine)
    await migrate({ database })
    const folder = t.testdir({ uploads: { svc: { print_files: { 'gone.pdf': 'x' } } } })
    const run = commandIn(t, folder)
    const { db, t: names, close } = await connect({ database })
    t.teardown(close)
    const variables = { DATABASE_URL: database, UPLOADS_DIR: 'uploads' }
    const files = async (more: Record<string, string> = {}) => {
      const { code, stdout, stderr } = await run(['check', '--files', '--json'], { ...variables, ...more })
      const { findings = [] } = JSON.parse(stdout) as { findings?: Finding[] }
      return { code, stderr, found: findings.filter(({ subject }) => subject === 'files') }
    }
    t.match(await files(), {
      code: 0,
      found: [{ level: 'warning', message: 'svc/print_files/gone.pdf', details: { orphaned: [{}] } }],
    })
    await db
      .insertInto(names.assets)
      .values({ key: 'a/none.png', size: 1, mime_type: 'image/png' } as never)
      .execute()
    t.match(await files(), { code: 1, found: [{ level: 'problem', message: /a\/none\.png/ }, {}] })
    const refused = await files({ SVC_S3_ENDPOINT: 'no url' })
    t.match([refused.code, refused.stderr], [1, /^SVC_S3_ENDPOINT: must [^\n]+\n$/])
  }),
)

t.test('an SQLite file that does not exist is not created', async (t) => {
  const { code, folder, on } = await checked(t, { DATABASE_URL: 'sqlite:none/shop.sqlite' })
  t.equal(code, 1)
  t.match(on('database')?.message, /none\/shop\.sqlite does not exist yet/)
  t.ok((on('tables')?.details?.missing?.length ?? 0) > 10)
  t.notOk(existsSync(`${folder}/none`))
})

t.test('what takes longer than a second reports its progress on stderr', async (t) => {
  const database = await freshAddress(t, 'MariaDB')
  await migrate({ database })
  const { db, close } = await connect({ database })
  t.teardown(close)
  const { sql } = await import('kysely')
  await db.connection().execute(async (connection) => {
    await sql`lock tables wp_svc_designs write`.execute(connection)
    const report = checked(t, { DATABASE_URL: database })
    await new Promise((over) => setTimeout(over, 4000))
    await sql`unlock tables`.execute(connection)
    const { code, stderr } = await report
    t.equal(code, 0)
    t.match(stderr, /^Checking the database: .*\(\d+ s\)$/m)
  })
})
