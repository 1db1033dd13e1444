// `svc-api audit` and `svc-api webhooks`, on each engine.
import t from 'tap'
import type { AuditEntry } from '../../../plugins/index.ts'
import { build, freshAddress, onEachDialect } from '../../support/hosts/build.ts'
import { commandIn } from '../../support/hosts/command.ts'
import { webhookSecret } from '../../support/hosts/webhooks.ts'

const webhooks = [{ url: 'https://127.0.0.1:9/secret-path', secret: webhookSecret }]

t.test('audit prints who changed what, newest first, by resource, id and time', (t) =>
  onEachDialect(t, async (t, engine) => {
    const host = await build(t, { engine, audit: true })
    const { id } = (await host.call('POST', '/products', { title: 'Shirt' })).body.data
    await host.call('POST', '/pricing-rules', { name: 'A', data: {} })
    await host.call('PATCH', `/products/${id}`, { title: 'Mug' }, { 'x-request-id': 'my-request' })
    const run = commandIn(t)
    const listed = async (...args: string[]) => {
      const { code, stdout } = await run(['audit', '--json', ...args], { DATABASE_URL: host.address })
      t.equal(code, 0)
      return (JSON.parse(stdout) as { operation: string }[]).map(({ operation }) => operation)
    }
    t.same(await listed(), ['update_product', 'create_pricing_rule', 'create_product'])
    t.same(await listed('--resource', 'product', '--id', String(id)), ['update_product', 'create_product'])
    t.same(await listed('--limit', '1', '--since', '1h'), ['update_product'])
    t.same(await listed('--since', '2999-01-01'), [])
    const none = await run(['audit', '--since', '2999-01-01'], { DATABASE_URL: host.address })
    t.equal(none.stderr, 'No entry matches.\n')
    const { stdout } = await run(['audit', '--limit', '1'], { DATABASE_URL: host.address })
    t.match(stdout, /^\d{4}-\S+Z {2}product 1 updated {2}update_product {2}token ".+" {2}my-request\n$/)
  }),
)

t.test('audit says that the trail was never written', async (t) => {
  const host = await build(t)
  await host.call('POST', '/products', { title: 'Shirt' })
  const { code, stderr } = await commandIn(t)(['audit'], { DATABASE_URL: host.address })
  const sentence = 'The audit trail is empty: no server writes it unless its option audit is on.\n'
  t.strictSame([code, stderr], [0, sentence])
})

t.test('with --audit, migrate and token write what they change', (t) =>
  onEachDialect(t, async (t, engine) => {
    const host = await build(t, { engine })
    const row = { option_name: 'svc_pr_groups', option_value: '[{"name":"A","data":{}}]', autoload: 'yes' }
    await host.db.insertInto(host.t.options).values(row).execute()
    const run = (...args: string[]) => commandIn(t)(args, { DATABASE_URL: host.address })
    for (const args of [['migrate'], ['token'], ['token', '--rotate']])
      t.equal((await run(...args, '--audit')).code, 0, args.join(' '))
    t.equal((await run('token', '--rotate')).code, 0)
    const entries: AuditEntry[] = JSON.parse((await run('audit', '--json')).stdout)
    t.same(
      entries.map(({ operation, resource, action, id }) => [operation, resource, action, id]),
      [
        ['ensure_token', 'setting', 'updated', 'svc_api_token'],
        ['migrate', 'pricing_rule', 'created', 1],
      ],
    )
  }),
)

t.test('webhooks lists what waits and what is dead, and replays it', (t) =>
  onEachDialect(t, async (t, engine) => {
    const host = await build(t, { engine, webhooks })
    await host.call('POST', '/products', { title: 'Shirt' })
    await host.app.close()
    const run = commandIn(t)
    const variables = { DATABASE_URL: host.address }
    const listed = async (...args: string[]) =>
      JSON.parse((await run(['webhooks', 'list', '--json', ...args], variables)).stdout)
    const [event] = await listed()
    t.match(event, { state: 'pending', type: 'product.created', endpoint: 'https://127.0.0.1:9' })
    t.same(await listed('--dead'), [])
    t.equal((await run(['webhooks', 'replay', event.id], variables)).code, 1, 'it waits already')
    await host.db.updateTable(host.t.api_outbox).set({ state: 'dead', done_at: 2_000_000_000 }).execute()
    const text = (await run(['webhooks', 'list', '--dead'], variables)).stdout
    t.match(text, /^evt_\S+ {2}\S+Z {2}dead {2}product\.created {2}https:\/\/127\.0\.0\.1:9 {2}/)
    t.notMatch(text, /secret-path/)
    t.match(await run(['webhooks', 'replay', event.id], variables), {
      code: 0,
      stdout: '1 delivery was started again.\n',
    })
    const { stdout } = await run(['webhooks', 'replay', '--dead', '--json'], variables)
    t.same(JSON.parse(stdout), { replayed: 0 })
    t.match(await listed(), [{ state: 'pending', attempts: 0 }])
  }),
)

t.test('wrong arguments are refused with the usage, before the database is asked', async (t) => {
  const run = commandIn(t)
  for (const [args, message] of [
    [['webhooks'], /^Usage: svc-api webhooks list/],
    [['webhooks', 'replay'], /^Usage: /],
    [['webhooks', 'replay', 'a', '--dead'], /^Usage: /],
    [['webhooks', 'list', 'more'], /^Usage: /],
    [['audit', 'more'], /See svc-api audit --help/],
    [['audit', '--resource', 'prodcut'], /^--resource must be one of product, /],
    [['audit', '--since', 'yesterday'], /^--since must be a time/],
    [['audit', '--since', '2026-02-30'], /^--since must be a time/],
    [['audit', '--limit', '0'], /^--limit must be/],
  ] as const) {
    const { code, stderr } = await run([...args])
    t.match([code, stderr], [2, message], args.join(' '))
  }
})

t.test('without its table, audit and webhooks say that the option is off', async (t) => {
  const database = await freshAddress(t, 'SQLite')
  const { address, db, t: names, app } = await build(t, { address: database })
  await app.close()
  for (const [args, table, option] of [
    [['audit'], 'api_audit', 'audit'],
    [['webhooks', 'list'], 'api_outbox', 'webhooks'],
  ] as const) {
    await db.schema.dropTable(names[table]).execute()
    const { code, stderr } = await commandIn(t)([...args], { DATABASE_URL: address })
    const sentence = `DATABASE_URL: wp_svc_${table} is missing, so the option ${option} is off in every server. Run "svc-api migrate" to create what is missing.\n`
    t.strictSame([code, stderr], [1, sentence])
  }
})
