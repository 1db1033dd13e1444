// `svc-api migrate`, on each engine: what it prints, what it creates, and that a dry run changes nothing.
import { existsSync } from 'node:fs'
import { CompiledQuery } from 'kysely'
import t from 'tap'
import { migrate } from '../../../plugins/index.ts'
import { connect } from '../../../src/db/connect.ts'
import { freshAddress, onEachEngine } from '../../support/hosts/build.ts'
import { commandIn } from '../../support/hosts/command.ts'
import { onServers } from '../../support/hosts/fresh-host.ts'

t.test('it creates what is missing, says so, and has nothing to do the second time', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await freshAddress(t, engine)
    const run = commandIn(t)
    const first = await run(['migrate'], { DATABASE_URL: database, TABLE_PREFIX: 'shop_' })
    t.equal(first.code, 0, first.stderr)
    t.match(first.stdout, /^Done:\n {2}create table shop_options\n/)
    t.strictSame(await migrate({ database, tablePrefix: 'shop_', dryRun: true }), [])
    const second = await run(['migrate'], { DATABASE_URL: database, TABLE_PREFIX: 'shop_' })
    t.match([second.code, second.stdout], [0, 'Nothing is missing.\n'])
  }),
)

t.test('a dry run changes nothing, and prints what would be done', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await freshAddress(t, engine)
    await migrate({ database })
    const { db, close } = await connect({ database })
    t.teardown(close)
    await db.schema.alterTable('wp_svc_products').dropColumn('type').execute()
    const run = commandIn(t)
    const expected = await migrate({ database, dryRun: true })
    const { code, stdout } = await run(['migrate', '--dry-run'], { DATABASE_URL: database })
    t.equal(code, 0)
    t.equal(stdout, 'Would be done:\n  alter table wp_svc_products, add column type\n')
    const json = await run(['migrate', '--dry-run', '--json'], { DATABASE_URL: database })
    t.strictSame(JSON.parse(json.stdout), { dry_run: true, statements: expected })
    t.strictSame(await migrate({ database, dryRun: true }), expected)
  }),
)

t.test('the SQL that it prints creates the same', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await freshAddress(t, engine)
    const run = commandIn(t)
    const args = ['migrate', '--dry-run', '--sql', '--indexes']
    const { stdout } = await run(args, { DATABASE_URL: database })
    const { db, close } = await connect({ database })
    t.teardown(close)
    for (const statement of stdout.split(/;\n/).filter(Boolean))
      await db.executeQuery(CompiledQuery.raw(statement))
    t.strictSame(await migrate({ database, dryRun: true, indexes: true }), [])
    const again = await run(args, { DATABASE_URL: database })
    t.equal(again.stdout, '-- Nothing is missing.\n')
  }),
)

onServers('it imports legacy rows', async (t, engine) => {
  const database = await freshAddress(t, engine)
  await migrate({ database })
  const { db, t: names, close } = await connect({ database })
  t.teardown(close)
  await db
    .insertInto(names.options)
    .values({
      option_name: 'svc_pr_groups',
      option_value: JSON.stringify([{ name: 'Large', data: {} }]),
      autoload: 'no',
    })
    .execute()
  const run = commandIn(t)
  const dry = await run(['migrate', '--dry-run'], { DATABASE_URL: database })
  t.equal(dry.stdout, 'Would be done:\n  import legacy wp_svc_pricing_rules\n')
  const { stdout } = await run(['migrate'], { DATABASE_URL: database })
  t.equal(stdout, 'Done:\n  imported legacy wp_svc_pricing_rules: 1\n')
})

t.test('it creates an SQLite file with its folder; a dry run does not', async (t) => {
  const folder = t.testdir({})
  const run = commandIn(t, folder)
  const variables = { DATABASE_URL: 'sqlite:data/shop/shop.sqlite' }
  const dry = await run(['migrate', '--dry-run'], variables)
  t.match([dry.code, dry.stdout], [0, /create table wp_svc_products/])
  t.notOk(existsSync(`${folder}/data`))
  t.equal((await run(['migrate'], variables)).code, 0)
  t.ok(existsSync(`${folder}/data/shop/shop.sqlite`))
  const refused = await run(['migrate'], { DATABASE_URL: 'sqlite:/proc/none/shop.sqlite' })
  t.match([refused.code, refused.stderr], [1, /^DATABASE_URL: \/proc\/none cannot be created \(\w+\)\.\n$/])
})
