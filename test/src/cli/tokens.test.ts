// `svc-api tokens`, on each engine.
import t from 'tap'
import { migrate } from '../../../plugins/index.ts'
import { UsageError } from '../../../src/cli/command.ts'
import { tokensCommand } from '../../../src/cli/tokens.ts'
import { connect } from '../../../src/db/connect.ts'
import { build, freshAddress, onEachDialect } from '../../support/hosts/build.ts'
import { commandIn } from '../../support/hosts/command.ts'
import { as } from '../../support/hosts/named-tokens.ts'

t.test('a token is made, works in a running server, is listed and revoked', (t) =>
  onEachDialect(t, async (t, engine) => {
    const host = await build(t, { engine })
    const run = (...args: string[]) => commandIn(t)(['tokens', ...args], { DATABASE_URL: host.address })
    const made = await run(
      'create',
      'nightly build',
      '--scopes',
      'products:read, fonts:write',
      '--expires',
      '90d',
    )
    t.match([made.code, made.stdout], [0, /^svct_[0-9a-f]{64}\n$/])
    t.match(made.stderr, /not shown again/)
    const call = as(host, made.stdout.trim())
    t.equal((await call('GET', '/products')).status, 200)
    t.equal((await call('GET', '/views/1')).body.code, 'svc_insufficient_scope')
    const listed = await run('list')
    t.match(listed.stdout, /^nightly build {2}products:read,fonts:write {2}expires 20\S+Z {2}/)
    const { tokens: known } = JSON.parse((await run('list', '--json')).stdout)
    t.match(known, [{ name: 'nightly build', scopes: ['products:read', 'fonts:write'], expired: false }])
    const days = (Date.parse(known[0].expires_at) - Date.now()) / 86_400_000
    t.ok(days > 89 && days <= 90, `${days} days`)
    t.notOk(listed.stdout.includes('svct_'))
    t.equal((await run('revoke', 'nightly build')).code, 0)
    await new Promise((over) => setTimeout(over, 1100))
    t.equal((await call('GET', '/products')).body.code, 'svc_forbidden')
    t.match(await run('revoke', 'nightly build'), {
      code: 1,
      stderr: /There is no token with the name "nightly build"/,
    })
    t.match(await run('list'), { code: 0, stdout: 'There are no named tokens.\n' })
  }),
)

t.test('with --audit, svc-api audit says which tokens were made and revoked', (t) =>
  onEachDialect(t, async (t, engine) => {
    const database = await freshAddress(t, engine)
    await migrate({ database })
    const run = (...args: string[]) => commandIn(t)(args, { DATABASE_URL: database })
    await run('tokens', 'create', 'silent', '--scopes', 'read')
    const { stdout: token } = await run('tokens', 'create', 'agent', '--scopes', 'read', '--audit')
    await run('tokens', 'revoke', 'agent', '--audit')
    t.equal((await run('tokens', 'revoke', 'agent', '--audit')).code, 1)
    const { stdout } = await run('audit', '--resource', 'named_token')
    t.match(
      stdout,
      /^\S+Z {2}named_token "agent" deleted {2}revoke_named_token {2}nobody {2}-\n\S+Z {2}named_token "agent" created {2}create_named_token {2}nobody {2}-\n$/,
    )
    t.notMatch(stdout, token.trim())
  }),
)

t.test('svc-api tokens rotate: prints a new token, and the previous one works until the overlap ends', (t) =>
  onEachDialect(t, async (t, engine) => {
    const host = await build(t, { engine })
    const run = (...args: string[]) => commandIn(t)(['tokens', ...args], { DATABASE_URL: host.address })
    const first = (await run('create', 'agent', '--scopes', 'products:read')).stdout.trim()
    const rotated = JSON.parse((await run('rotate', 'agent', '--overlap', '1h', '--json')).stdout)
    t.match(rotated, { name: 'agent', expires_at: null, previous: { name: 'agent (replaced)' } })
    const minutes = (Date.parse(rotated.previous.expires_at) - Date.now()) / 60_000
    t.ok(minutes > 58 && minutes <= 61, `${minutes} minutes`)
    for (const token of [first, rotated.token])
      t.equal((await as(host, token)('GET', '/products')).status, 200)
    t.match((await run('list')).stdout, /^agent {2}.*never expires.*\nagent \(replaced\) {2}.*expires 20/)
    t.match(await run('rotate', 'agent', '--overlap', 'now'), { code: 0, stderr: /is revoked/ })
    t.match(await run('rotate', 'other'), { code: 1, stderr: /There is no token with the name "other"/ })
  }),
)

t.test('with --json the token comes with its name, scopes and expiry', async (t) => {
  const database = await freshAddress(t, 'SQLite')
  await migrate({ database })
  const run = (...args: string[]) => commandIn(t)(['tokens', ...args], { DATABASE_URL: database })
  const { stdout } = await run('create', 'agent', '--scopes', 'read', '--expires', '2999-01-31', '--json')
  const { token, ...rest } = JSON.parse(stdout)
  t.match(token, /^svct_/)
  t.strictSame(rest, { name: 'agent', scopes: ['read'], expires_at: '2999-01-31T00:00:00Z' })
})

t.test('wrong arguments are named, and nothing is stored', async (t) => {
  const database = await freshAddress(t, 'SQLite')
  await migrate({ database })
  /** In this process, because there are many. */
  const run = (words: string[], flags: Record<string, unknown> = {}) => {
    let printed: unknown
    const print = (_text: string, data: unknown) => {
      printed = data
    }
    const variables = { DATABASE_URL: database }
    const output = { json: false, print, say: () => {} }
    return tokensCommand
      .run({ ...output, variables, operands: words, flags: { audit: false, ...flags } })
      .then(() => printed)
  }
  const wrong: [string[], Record<string, unknown>, RegExp][] = [
    [[], {}, /^Say what to do/],
    [['show'], {}, /^Say what to do/],
    [['list', 'agent'], {}, /^Say what to do/],
    [['create'], { scopes: 'read' }, /^Name the token/],
    [['revoke'], {}, /^Name the token/],
    [['create', 'agent'], {}, /^Say what the token may do/],
    [['create', 'agent'], { scopes: ' , ' }, /^Say what the token may do/],
    [['create', 'agent'], { scopes: 'products' }, /^--scopes must be of read, write, system:read/],
    [['create', 'agent'], { scopes: 'read,all' }, /^--scopes must be/],
    [['create', 'my', 'agent'], { scopes: 'read' }, /must be quoted/],
    [['create', 'ägent'], { scopes: 'read' }, /^NAME must be/],
    [['create', 'agent'], { scopes: 'read', expires: '2001-01-01' }, /^--expires must be in the future/],
    [['create', 'agent'], { scopes: 'read', expires: 'tomorrow' }, /^--expires must be a date/],
    [['create', 'agent'], { scopes: 'read', expires: '2999-13-45' }, /^--expires must be a date/],
    [['create', 'agent'], { scopes: 'read', expires: '2999-02-31' }, /^--expires must be a date/],
    [['create', 'agent'], { scopes: 'read', expires: '2999-04-31T12:00:00Z' }, /^--expires must be a date/],
    [['rotate'], {}, /^Name the token/],
    [['rotate', 'agent'], { overlap: '2d' }, /^--overlap must be now, 1h, 1d, 7d/],
    [['revoke', 'agent'], { overlap: '1d' }, /^--overlap belongs to/],
    [['revoke', 'agent'], { scopes: 'read' }, /^--scopes and --expires belong to/],
  ]
  for (const [words, flags, message] of wrong) {
    const error = await run(words, flags).catch((error: unknown) => error)
    t.ok(error instanceof UsageError, words.join(' '))
    t.match(error, { message })
  }
  t.strictSame(await run(['list']), { tokens: [] })
})

t.test(
  'an installation without the table lists nothing, checks well, and gets it with its first token',
  (t) =>
    onEachDialect(t, async (t, engine) => {
      const database = await freshAddress(t, engine)
      await migrate({ database })
      const { db, t: names, close } = await connect({ database })
      await db.schema.dropTable(names.api_tokens).execute()
      await close()
      const run = (...args: string[]) =>
        commandIn(t, t.testdir({ uploads: {} }))(args, {
          DATABASE_URL: database,
          SITE_URL: 'https://a.example',
          UPLOADS_DIR: 'uploads',
        })
      t.match(await run('tokens', 'list'), { code: 0, stdout: 'There are no named tokens.\n' })
      const { findings } = JSON.parse((await run('check', '--json')).stdout)
      const tables = findings.filter(({ subject }: { subject: string }) => subject === 'tables')
      t.match(tables, [{ level: 'ok', message: /Not yet needed: wp_svc_api_tokens/ }])
      t.equal(tables.length, 1)
      t.equal((await run('tokens', 'create', 'agent', '--scopes', 'read')).code, 0)
    }),
)
