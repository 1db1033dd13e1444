// Legacy installations whose options and tables have different charsets: rules and layouts keep their characters on both sides.
import { sql } from 'kysely'
import { createPool } from 'mysql2'
import t from 'tap'
import { migrate } from '../../plugins/index.ts'
import { connect } from '../../src/db/connect.ts'
import { passSecond } from '../support/fixtures/clock.ts'
import { build, freshAddress } from '../support/hosts/build.ts'
import { storedOption } from '../support/hosts/options.ts'

const data = { title: '日本 Ж € 🖌 é' }
const layout = { name: 'Plain', plugin_options: data }

for (const [options, tables] of [
  ['latin1', 'utf8mb4'],
  ['utf8mb4', 'latin1'],
  ['utf8mb3', 'latin1'],
] as const) {
  t.test(`options of ${options}, tables of ${tables}`, async (t) => {
    const address = await freshAddress(t, 'MariaDB')
    await migrate({ database: address })
    const { db, t: names, close } = await connect({ database: address })
    t.teardown(close)
    const convert = (table: string, charset: string) =>
      sql`alter table ${sql.table(table)} convert to character set ${sql.raw(charset)}`.execute(db)
    await convert(names.options, options)
    await convert(names.pricing_rules, tables)
    await convert(names.user_interfaces, tables)
    // As PHP encodes JSON: in ASCII.
    const json = (value: unknown) =>
      JSON.stringify(value).replace(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    // A name that both can store, or that only the options must.
    const name = tables === 'utf8mb4' ? 'Größe Ж 🖌' : 'Größe'
    const put = (option_name: string, option_value: string) =>
      db
        .insertInto(names.options)
        .values({ option_name, option_value, autoload: 'yes' })
        .onDuplicateKeyUpdate({ option_value })
        .execute()
    await put(
      'svc_pr_groups',
      json([
        { name, data },
        { name: 'Other', data: {} },
      ]),
    )
    await put('svc_ui_layout_default', json(layout))
    await migrate({ database: address })

    // Without the strict mode, the server replaces what a column cannot store, and does not say so.
    const pool = createPool({ uri: address, charset: 'utf8mb4' })
    t.teardown(() => pool.promise().end())
    pool.on('connection', (connection) => connection.query("set session sql_mode = ''"))
    const warnings: string[] = []
    const stream = { write: (line: string) => void warnings.push(line) }
    const host = await build(t, {
      engine: 'MariaDB',
      address,
      database: pool,
      server: { logger: { level: 'warn', stream } },
    })
    const rules = async () => (await host.call('GET', '/pricing-rules')).body.data
    const first = { id: 1, name, data }
    t.strictSame(await rules(), [first, { id: 2, name: 'Other', data: {} }])
    t.match((await host.call('GET', '/user-interfaces/1?include_data=true')).body.data.data, {
      plugin_options: data,
    })

    // A change of the API, then one of PHP, then one of the API: nothing else may look changed.
    await host.call('PATCH', '/pricing-rules/2', { data: { a: 1 } })
    const mirrored = JSON.parse((await storedOption(host, 'svc_pr_groups')) ?? '')
    t.strictSame(mirrored, [
      { name, data },
      { name: 'Other', data: { a: 1 } },
    ])
    passSecond()
    await put('svc_pr_groups', json([...mirrored, { name: 'New', data }]))
    await put('svc_ui_layout_default', json({ ...layout, plugin_options: { changed: data } }))
    const added = { id: 3, name: 'New', data }
    t.strictSame(await rules(), [first, { id: 2, name: 'Other', data: { a: 1 } }, added])
    t.match((await host.call('GET', '/user-interfaces/1?include_data=true')).body.data.data, {
      plugin_options: { changed: data },
    })
    await host.call('PATCH', '/pricing-rules/2', { data: { c: data } })
    t.strictSame(await rules(), [first, { id: 2, name: 'Other', data: { c: data } }, added])
    t.notMatch(warnings.join(''), /PHP/, 'nobody is warned of changes that nobody made')
  })
}
