// Tables without transactions on MySQL with consistent GTIDs, as on a shop that was made long ago and moved there.
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { type TableName, tableNames } from '../../../src/db/tables.ts'
import { run } from '../../support/fixtures/schema.ts'
import { build, type TestHost } from '../../support/hosts/build.ts'
import { checked } from '../../support/hosts/checked.ts'

/** All rows, of all tables. */
async function everything({ db, t: names }: TestHost): Promise<Record<string, unknown[]>> {
  const rows = tableNames.map(async (table) => {
    const found = await sql`select * from ${sql.table(names[table])}`.execute(db)
    return [table, found.rows] as const
  })
  return Object.fromEntries(await Promise.all(rows))
}

/** A shop with one of everything, whose tables were converted afterwards, and what its host logged. */
async function converted(t: Test, tables: readonly TableName[]) {
  const first = await build(t, { engine: 'MySQL' })
  const { call, db, t: names, address } = first
  await call('POST', '/products', { title: 'Mug' })
  await call('POST', '/products/1/views', { title: 'Front', elements: [1] })
  await call('POST', '/categories', { title: 'Mugs' })
  await call('PATCH', '/products/1', { categories: [1] })
  await first.app.close()
  await run(db, ...tables.map((table) => `ALTER TABLE ${names[table]} ENGINE=MyISAM`))
  const lines: { msg: string; tables?: string[] }[] = []
  const stream = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)))
      done()
    },
  })
  const host = await build(t, { address, engine: 'MySQL', server: { logger: { level: 'warn', stream } } })
  return { host, warning: lines.find((line) => line.tables) }
}

const requests: [method: string, path: string, body?: object][] = [
  ['POST', '/products/1/views', { title: 'Back' }],
  ['POST', '/categories', { title: 'Shirts' }],
  ['POST', '/pricing-rules', { name: 'Rule', data: {} }],
  ['POST', '/print-profiles', { name: 'Profile', data: {} }],
  ['POST', '/user-interfaces', { name: 'Layout' }],
  ['GET', '/user-interfaces/default'],
  ['PATCH', '/products/1', { title: 'Cup', categories: [] }],
  ['DELETE', '/products/1'],
]

/** Those of the shop's own data; the keys of others are longer than MyISAM takes. */
const tables = [
  ...(['products', 'views', 'categories', 'category_products', 'designs', 'orders', 'print_jobs'] as const),
  ...(['print_job_steps', 'pricing_rules', 'print_profiles', 'user_interfaces'] as const),
]

t.test('MySQL refuses writes to MyISAM tables with the change that helps, and keeps no half', async (t) => {
  const { host, warning } = await converted(t, tables)
  const physical = tables.map((table) => host.t[table])
  t.strictSame(warning?.tables?.toSorted(), physical.toSorted())
  t.match(warning?.msg, /no transactions .*enforce_gtid_consistency.* ALTER TABLE/)
  const before = await everything(host)
  for (const [method, path, body] of requests) {
    const { status, body: refusal, headers } = await host.call(method, path, body)
    t.match({ status, code: refusal.code }, { status: 503, code: 'svc_unavailable' }, `${method} ${path}`)
    t.equal(headers['retry-after'], '60')
    for (const table of physical) t.ok(refusal.message?.includes(`ALTER TABLE ${table} ENGINE=InnoDB`), table)
    t.strictSame(await everything(host), before, 'nothing is half written')
  }
  t.equal((await host.call('GET', '/products/1?include_views=1')).status, 200, 'reads are served')
  const { on } = await checked(t, { DATABASE_URL: host.address })
  t.match(on('engines'), { level: 'problem', message: /enforce_gtid_consistency.*ENGINE=InnoDB/ })
  await run(host.db, ...physical.map((table) => `ALTER TABLE ${table} ENGINE=InnoDB`))
  for (const [method, path, body] of requests)
    t.ok((await host.call(method, path, body)).status < 300, `${method} ${path} once they are converted`)
})
