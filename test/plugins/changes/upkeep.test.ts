// Changes that no request has asked for: by functions of the host, at startup, and on first use.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { auditEntries, type Change, ensureToken, migrate } from '../../../plugins/index.ts'
import { svcFolders } from '../../../src/files/folders.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { build, type Engine, freshAddress, onEachEngine } from '../../support/hosts/build.ts'
import { everything, legacy } from '../../support/hosts/legacy.ts'
import { printHost } from '../../support/hosts/print.ts'
import { eventually, rows, webhookSecret } from '../../support/hosts/webhooks.ts'

const webhooks = [{ url: 'https://127.0.0.1:9/', secret: webhookSecret }]

/** Options that report in all three ways; `seen` is what the listener got. */
function reports() {
  const seen: Change[] = []
  return { seen, options: { onChange: (change: Change) => seen.push(change), audit: true, webhooks } }
}

const brief = ({ operation, resource, action, id }: Change) => [operation, resource, action, id]

const stored = async (database: string) =>
  (await auditEntries({ database })).reverse().map(({ at: _, ...change }) => change)

/** The database of a legacy installation, whose rows are not yet imported. */
async function notImported(t: Test, engine: Engine) {
  const host = await build(t, { engine })
  for (const [option_name, option_value] of Object.entries(everything))
    await host.db.insertInto(host.t.options).values({ option_name, option_value, autoload: 'yes' }).execute()
  return host
}

const imported = [
  ['migrate', 'pricing_rule', 'created', 1],
  ['migrate', 'pricing_rule', 'created', 2],
  ['migrate', 'user_interface', 'created', 1],
  ['migrate', 'user_interface', 'created', 2],
]

t.test('migrate() reports each rule and layout that it imports, once', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { address: database, ...host } = await notImported(t, engine)
    const { seen, options } = reports()
    await migrate({ database, dryRun: true, ...options })
    t.same(seen, [])
    await migrate({ database, ...options })
    t.same(seen.map(brief), imported)
    t.match(seen[0], { principal: null, request_id: null })
    t.same(await stored(database), seen)
    t.same(
      (await rows(host)).map(({ payload }) => JSON.parse(payload ?? '').data),
      seen,
    )
    await migrate({ database, ...options })
    t.equal(seen.length, imported.length)
  }),
)

t.test('migrate() creates the tables of the options that it is given', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await freshAddress(t, engine)
    t.ok((await migrate({ database, ...reports().options })).length > 0)
    t.same(await stored(database), [])
  }),
)

t.test('a server that imports at startup reports the same', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { address } = await notImported(t, engine)
    const { seen, options } = reports()
    await build(t, { engine, address, ...options })
    t.same(seen.map(brief), imported)
    t.same(await stored(address), seen)
  }),
)

t.test('ensureToken() reports the token that it generates or stores, and never says it', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await freshAddress(t, engine)
    await migrate({ database })
    const { seen, options } = reports()
    const first = await ensureToken({ database, ...options })
    await ensureToken({ database, ...options })
    const second = 'ab'.repeat(32)
    await ensureToken({ database, token: second, ...options })
    await ensureToken({ database, token: second, ...options })
    const change = ['ensure_token', 'setting', 'updated', 'svc_api_token']
    t.same(seen.map(brief), [change, change])
    t.same(await stored(database), seen)
    for (const token of [first, second]) t.notMatch(JSON.stringify(seen), token)
  }),
)

t.test('the token that a server generates at its first request is a change by itself', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { seen, options } = reports()
    const { call, address, db, t: names } = await build(t, { engine, ...options })
    await db.deleteFrom(names.options).where('option_name', '=', 'svc_api_token').execute()
    t.equal((await call('GET', '/products')).status, 403)
    t.same(seen.map(brief), [['upkeep', 'setting', 'updated', 'svc_api_token']])
    t.same(await stored(address), seen)
  }),
)

t.test('the default layout is a change when it is created, by whatever request', (t) =>
  onEachEngine(t, async (t, engine) => {
    for (const [method, path, body, expected] of [
      ['GET', '/user-interfaces', undefined, [['upkeep', 1]]],
      ['GET', '/user-interfaces/default', undefined, [['upkeep', 1]]],
      [
        'POST',
        '/user-interfaces',
        { name: 'Wide' },
        [
          ['create_user_interface', 1],
          ['create_user_interface', 2],
        ],
      ],
    ] as const) {
      const { seen, options } = reports()
      const { call, address } = await build(t, { engine, ...options })
      for (let i = 0; i < 2; i++) if (i === 0 || method === 'GET') await call(method, path, body)
      t.same(
        seen.map(brief),
        expected.map(([operation, id]) => [operation, 'user_interface', 'created', id]),
        `${method} ${path}`,
      )
      t.same(await stored(address), seen)
    }
  }),
)

t.test('what PHP changes in legacy rows is not reported, although it is taken over', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { seen, options } = reports()
    const { call, setOption } = await legacy(t, engine, everything, options)
    await setOption('svc_pr_groups', '[{"name":"By PHP","data":{}}]')
    await setOption('svc_ui_layout_default', undefined)
    t.match((await call('GET', '/pricing-rules')).body.data, [{ name: 'By PHP' }])
    t.equal((await call('GET', '/user-interfaces')).body.data.length, 1)
    t.same(seen, [])
  }),
)

t.test('files that PHP stores in the uploads folder are listed, and not reported', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { seen, options } = reports()
    const { call, uploads } = await printHost(t, { engine, ...options })
    const folder = join(uploads, svcFolders.assets)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'by-php.png'), png({ width: 10, height: 10 }))
    t.equal((await call('GET', '/assets')).body.data.length, 1)
    t.same(seen, [])
  }),
)

t.test('the entries of an audit trail that is switched off stay', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { address, call, db, t: names, app } = await build(t, { engine, audit: true })
    await call('POST', '/products', { title: 'Shirt' })
    await db.updateTable(names.api_audit).set({ at: 1 }).execute()
    await app.close()
    const count = async () => (await stored(address)).length
    const silent = await build(t, { engine, address })
    await silent.call('POST', '/products', { title: 'Mug' })
    await ensureToken({ database: address, audit: { keepDays: 1 } })
    t.equal(await count(), 1)
    await build(t, { engine, address, audit: true })
    await eventually(async () => (await count()) === 0)
  }),
)
