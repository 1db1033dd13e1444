// `svc-api token`, on each engine.
import t from 'tap'
import { ensureToken, migrate } from '../../../plugins/index.ts'
import { build, freshAddress, onEachDialect } from '../../support/hosts/build.ts'
import { commandIn } from '../../support/hosts/command.ts'

t.test('it prints the stored token, and generates one where there is none', (t) =>
  onEachDialect(t, async (t, engine) => {
    const database = await freshAddress(t, engine)
    await migrate({ database })
    const run = commandIn(t)
    const { code, stdout, stderr } = await run(['token'], { DATABASE_URL: database })
    t.match([code, stderr], [0, ''])
    t.match(stdout, /^[0-9a-f]{64}\n$/)
    t.equal(await ensureToken({ database }), stdout.trim())
    const json = await run(['token', '--json'], { DATABASE_URL: database })
    t.strictSame(JSON.parse(json.stdout), { token: stdout.trim(), rotated: false })
  }),
)

t.test('after a rotation a running server accepts the new token and refuses the old one', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { address, call } = await build(t, { engine })
    t.equal((await call('GET', '/system')).status, 200)
    const run = commandIn(t)
    const { code, stdout } = await run(['token', '--rotate'], { DATABASE_URL: address })
    t.equal(code, 0)
    await new Promise((over) => setTimeout(over, 1100))
    t.equal((await call('GET', '/system')).status, 403)
    const authorization = `Bearer ${stdout.trim()}`
    t.equal((await call('GET', '/system', undefined, { authorization })).status, 200)
  }),
)

t.test('a rotation that the next start of the host would undo is refused', async (t) => {
  const database = await freshAddress(t, 'SQLite')
  await migrate({ database })
  const before = await ensureToken({ database })
  const run = commandIn(t)
  const variables = { DATABASE_URL: database, SVC_API_TOKEN: 'f'.repeat(64) }
  const { code, stderr } = await run(['token', '--rotate'], variables)
  t.match([code, stderr], [2, /^SVC_API_TOKEN is set/])
  t.equal(await ensureToken({ database }), before)
})

t.test(
  'without DATABASE_URL, and without a database where it would be by default, the variable is asked for',
  async (t) => {
    const { code, stderr } = await commandIn(t)(['token'])
    t.match([code, stderr], [1, /^DATABASE_URL is not set, and .*svc\.sqlite does not exist\. Set it/])
  },
)

t.test('a database without tables gives a sentence', (t) =>
  onEachDialect(t, async (t, engine) => {
    const database = await freshAddress(t, engine)
    const { code, stdout, stderr } = await commandIn(t)(['token'], { DATABASE_URL: database })
    t.match([code, stdout], [1, ''])
    t.match(stderr, /^DATABASE_URL: .*(are missing\. Run|does not exist\.) "svc-api migrate".*\n$/)
  }),
)
