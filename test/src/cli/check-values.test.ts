// `svc-api check`: stored values that cannot be read, and files that do not fit their rows, on each engine.
import t from 'tap'
import { migrate } from '../../../plugins/index.ts'
import { connect } from '../../../src/db/connect.ts'
import { foreignTables } from '../../../src/orders/tables.ts'
import { createShop } from '../../support/fixtures/shop.ts'
import { freshAddress, onEachDialect } from '../../support/hosts/build.ts'
import { checked, type Finding } from '../../support/hosts/checked.ts'
import { commandIn } from '../../support/hosts/command.ts'

t.test('it names each value that cannot be read, and reads all encodings of the CMS', (t) =>
  onEachDialect(t, async (t, engine) => {
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
  onEachDialect(t, async (t, engine) => {
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

t.test('--files compares the stored files with the rows that name them', (t) =>
  onEachDialect(t, async (t, engine) => {
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
    t.match([refused.code, refused.stderr], [1, /^SVC_S3_ENDPOINT must [^\n]+\n$/])
  }),
)
