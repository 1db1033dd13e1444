// `svc-api`: help, exit codes, and what it says about wrong arguments and environments.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { createConnection } from 'mysql2/promise'
import t from 'tap'
import { reasonOf } from '../../../src/cli/failure.ts'
import { version } from '../../../src/core/version.ts'
import { freshAddress } from '../../support/hosts/build.ts'
import { commandIn, processIn } from '../../support/hosts/command.ts'
import { onServers } from '../../support/hosts/fresh-host.ts'

const commands = [
  'init',
  'serve',
  'check',
  'doctor',
  'migrate',
  'token',
  'tokens',
  'audit',
  'webhooks',
  'preflight',
  'impose',
  'fonts',
  'openapi',
  'mcp',
  'erase-customer',
]
/** Those that need no further word. */
const plain = ['check', 'migrate', 'token', 'openapi']

t.test('help names every command, and every command explains its options', async (t) => {
  const run = commandIn(t)
  const { code, stdout } = await run(['--help'])
  t.equal(code, 0)
  for (const command of commands) {
    t.match(stdout, new RegExp(`^  ${command} `, 'm'))
    const help = await run([command, '--help'])
    t.match([help.code, help.stdout], [0, new RegExp(`^Usage: .*svc-api ${command}`)])
  }
  t.equal((await run(['--version'])).stdout, `${version}\n`)
})

t.test('each command is a process that ends by itself, with its exit code', async (t) => {
  const database = await freshAddress(t, 'SQLite')
  const run = processIn(t)
  const ends = async (code: number, ...args: string[]) => {
    const outcome = await run(args, { DATABASE_URL: database, SITE_URL: 'https://shop.example' })
    t.equal(outcome.code, code, `${args.join(' ')}: ${outcome.stderr}`)
    return outcome
  }
  t.equal((await ends(0, '--version')).stdout, `${version}\n`)
  t.equal((await ends(2, 'token', 'now')).stderr, "Unexpected argument 'now'. See svc-api token --help.\n")
  await ends(1, 'check')
  t.match((await ends(0, 'migrate')).stdout, /^Done:\n/)
  for (const args of [
    ['token'],
    ['tokens', 'list'],
    ['audit'],
    ['webhooks', 'list'],
    ['openapi'],
    ['fonts', 'list'],
  ])
    await ends(0, ...args)
  await ends(0, 'erase-customer', '--mail', 'ada@shop.example')
})

onServers('a command leaves no connection that keeps its process running', async (t, engine) => {
  const outcome = await processIn(t)(['migrate'], { DATABASE_URL: await freshAddress(t, engine) })
  t.equal(outcome.code, 0, outcome.stderr)
})

t.test('wrong arguments give one sentence and exit code 2', async (t) => {
  const run = commandIn(t)
  const said = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(args)
    t.match([code, stdout], [2, ''])
    return stderr
  }
  t.match(await said(), /^svc-api .*Usage:/s)
  const known = commands.join(', ')
  t.equal(await said('chekc'), `There is no command "chekc" (did you mean check?). Known are ${known}.\n`)
  t.equal(await said('constructor'), `There is no command "constructor". Known are ${commands.join(', ')}.\n`)
  t.equal(await said('migrate', '--force'), "Unknown option '--force'. See svc-api migrate --help.\n")
  t.equal(await said('token', 'now'), "Unexpected argument 'now'. See svc-api token --help.\n")
  t.equal(await said('mcp', '--mode', 'all'), '--mode must be one of read, write, full.\n')
})

t.test('a bad value of the environment gives a sentence that names it and does not quote it', async (t) => {
  const run = commandIn(t)
  const bad: [Record<string, string>, RegExp][] = [
    [{ DATABASE_URL: 'postgres://u:hunter2@h/d' }, /^DATABASE_URL: [^\n]+\n$/],
    [{ DATABASE_URL: 'mysql://u:hunter2@x@h/d' }, /^DATABASE_URL: .*percent-encoded[^\n]+\n$/],
    [{ DATABASE_URL: 'sqlite::memory:' }, /^DATABASE_URL must name a file[^\n]+\n$/],
    [{ TABLE_PREFIX: 'hunter2;' }, /^TABLE_PREFIX must [^\n]+\n$/],
    [{ SITE_URL: 'hunter2' }, /^SITE_URL must [^\n]+\n$/],
    [{ BASE_URL: 'hunter2' }, /^BASE_URL must [^\n]+\n$/],
    [{ DATABASE_WAIT: 'hunter2' }, /^DATABASE_WAIT must [^\n]+\n$/],
  ]
  for (const [i, [variables, sentence]] of bad.entries()) {
    const command = plain[i % 4] ?? ''
    const { code, stdout, stderr } = await run([command], variables)
    t.match([code, stdout, stderr], [2, '', sentence], `${command} ${Object.keys(variables)}`)
    t.notMatch(stderr, 'hunter2')
  }
  const noUrl = await run(['mcp'], { SVC_API_TOKEN: 'a' })
  t.match([noUrl.code, noUrl.stderr], [2, /^SVC_API_URL is not set[^\n]+\n$/])
  const noToken = await run(['mcp'], { SVC_API_URL: 'http://127.0.0.1:1' })
  t.match([noToken.code, noToken.stderr], [2, /^SVC_API_TOKEN must be[^\n]+\n$/])
})

t.test('a password is not shown, and hides no word that it is a part of', async (t) => {
  const url = 'mysql://root:svc@127.0.0.1/shop'
  const sentence = (message: string) => reasonOf(new Error(message), url)
  t.equal(sentence('wp_svc_options is missing.'), 'wp_svc_options is missing.')
  t.notMatch(sentence(`No connection to ${url}?ssl=1.`), 'svc')
  t.notMatch(sentence('No connection to //root:svc@127.0.0.1.'), 'svc')
})

onServers('a user of the database who lacks a right is told which rights are needed', async (t, engine) => {
  const address = new URL(await freshAddress(t, engine))
  const root = await createConnection(address.href)
  t.teardown(() => root.end())
  const user = `svc_limited_${process.pid}`
  await root.query(`create user ${user}@'%' identified by 'hunter2'`)
  t.teardown(() => root.query(`drop user ${user}@'%'`))
  await root.query(`grant select on ${address.pathname.slice(1)}.* to ${user}@'%'`)
  Object.assign(address, { username: user, password: 'hunter2' })
  const { code, stderr } = await commandIn(t)(['migrate'], { DATABASE_URL: address.href })
  t.equal(code, 1)
  t.match(stderr, /DATABASE_URL: the user lacks a right \(ER_TABLEACCESS_DENIED_ERROR\)\. .*CREATE/)
  t.notMatch(stderr, /svc_limited|hunter2/)
})

t.test('a database that cannot be reached gives a sentence, with --json as JSON too', async (t) => {
  const run = commandIn(t)
  const variables = { DATABASE_URL: 'mysql://shop:hunter2@127.0.0.1:1/shop' }
  for (const command of ['check', 'migrate', 'token', 'openapi']) {
    const { code, stdout, stderr } = await run([command, '--json'], variables)
    t.equal(code, 1)
    t.strictSame(JSON.parse(stdout), { error: 'DATABASE_URL: the server 127.0.0.1:1 cannot be reached.' })
    t.equal(stderr, 'DATABASE_URL: the server 127.0.0.1:1 cannot be reached.\n')
  }
})

onServers('DATABASE_WAIT waits for a database that is still starting, and says so', async (t, engine) => {
  const database = new URL(await freshAddress(t, engine))
  // A server that is not ready yet: the first connections are cut off.
  let attempts = 0
  const starting = createServer((client) => {
    attempts += 1
    if (attempts <= 2) {
      client.destroy()
      return
    }
    const server = connect(Number(database.port), database.hostname)
    server.on('error', () => client.destroy())
    client.on('error', () => server.destroy())
    client.pipe(server).pipe(client)
  }).listen(0, '127.0.0.1')
  t.teardown(() => starting.close())
  await once(starting, 'listening')
  const through = new URL(database)
  through.port = String((starting.address() as AddressInfo).port)
  const outcome = commandIn(t)(['migrate'], { DATABASE_URL: through.href, DATABASE_WAIT: '60' })
  const { code, stdout, stderr, progress } = await outcome
  t.equal(code, 0, stderr)
  t.match(stdout, /create table wp_svc_products/)
  t.match(progress, /^Creating what is missing/)
  t.ok(attempts > 2, String(attempts))
})
