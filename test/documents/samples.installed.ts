// The code of README and guides as a reader runs it: pasted into an empty folder, with the packed package installed above it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { blocksIn, blockUnder, placeOf } from '../support/hosts/documents.ts'
import { installedPackage, runPlainly } from '../support/hosts/installed-package.ts'
import { webhookSecret } from '../support/hosts/webhooks.ts'
import { freshDatabase } from '../support/peers/mariadb.ts'

t.setTimeout(300_000)
t.comment('timeout=300000')
const samples = blocksIn('js', 'ts')
const embedding = blockUnder('README.md', 'Embedding', 'ts')
const folder = await installedPackage(t)

// The port of a document may be taken on this machine.
await writeFile(
  join(folder, 'machine.mjs'),
  `import dns from 'node:dns'
  import { flushCompileCache } from 'node:module'
  import { Server } from 'node:net'
  // One address, so that each process of a cluster listens once.
  const { lookup } = dns
  dns.lookup = (name, options, done) => lookup(name, { ...options, family: 4 }, done)
  const { listen } = Server.prototype
  Server.prototype.listen = function (options, ...rest) {
    this.once('listening', () => {
      // For the next sample, since this process is killed.
      flushCompileCache()
      // After a process of a cluster has told the first one, which then may be killed.
      const address = JSON.stringify(this.address())
      setTimeout(() => console.log('Listening on ' + address), 100)
    })
    return listen.call(this, { ...options, port: 0 }, ...rest)
  }`,
)

interface Program {
  child: ChildProcess
  cwd: string
  /** Exit code and stderr. */
  ended: Promise<[number | null, string]>
  /** How many of its processes listen. */
  listening(): number
  /** URL at which it listens; undefined once it ended without. */
  url: Promise<string | undefined>
}

/** Runs code that was saved as `server.mts` in a folder of its own. */
async function pasted(t: Test, name: string, code: string, variables = {}): Promise<Program> {
  const cwd = join(folder, name)
  await mkdir(cwd, { recursive: true })
  await writeFile(join(cwd, 'server.mts'), code)
  const child = spawn(process.execPath, ['--import', join(folder, 'machine.mjs'), 'server.mts'], {
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      NODE_NO_WARNINGS: '1',
      NODE_COMPILE_CACHE: join(folder, '.cache'),
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const ended = Promise.all([once(child, 'close'), text(child.stderr)]).then(
    ([[code], said]): [number | null, string] => [code, said],
  )
  let printed = ''
  const listens = new Promise<string>((found) => {
    child.stdout.on('data', (part) => {
      printed += part
      const [, port] = /"port":(\d+)/.exec(printed) ?? []
      if (port !== undefined) found(`http://localhost:${port}`)
    })
  })
  const listening = () => printed.split('Listening on').length - 1
  return { child, cwd, ended, listening, url: Promise.race([listens, ended.then(() => undefined)]) }
}

const api = '/wp-json/svc/v1'
const recipes = samples.filter(({ code }) => /\bapp\b/.test(code) && !/\bapp = /.test(code))
const client = samples.filter(({ code }) => code.includes('svcClient('))
const upkeep = samples.filter(({ code }) => /\b(auditEntries|eraseCustomer)\(/.test(code))
const special = new Set([...recipes, ...client, ...upkeep])
const others = samples.filter((sample) => sample.code !== embedding && !special.has(sample))

t.test(
  'the embedding serves, the command prints its token, and client and functions work on it',
  async (t) => {
    const host = await pasted(t, 'embedding', embedding)
    const url = await host.url
    if (url === undefined) return t.fail((await host.ended)[1])
    const command = join(folder, 'node_modules/svc-api/dist/src/cli/main.js')
    const env = ['DATABASE_URL=sqlite:shop.sqlite', process.execPath, command, 'token']
    const token = (await runPlainly(host.cwd, 'env', ...env)).trim()
    const { status } = await fetch(`${url}${api}/products`, { headers: { authorization: `Bearer ${token}` } })
    t.equal(status, 200)
    t.ok(client.length > 1 && upkeep.length > 2)
    const variables = { SVC_API_URL: `${url}/wp-json`, SVC_API_TOKEN: token }
    for (const sample of [...client, ...upkeep]) {
      const { ended } = await pasted(t, 'embedding', sample.code, variables)
      t.strictSame(await ended, [0, ''], placeOf(sample))
    }
  },
)

t.ok(recipes.length > 2 && others.length > 15)
for (const [i, { code, ...block }] of recipes.entries()) {
  t.test(`${placeOf({ code, ...block })} works where it is pasted into the embedding`, async (t) => {
    const whole = embedding.replace(/^await app\.listen/m, (line) => `${code}${line}`)
    const host = await pasted(t, `recipe-${i}`, whole)
    const url = await host.url
    if (url === undefined) return t.fail((await host.ended)[1])
    t.equal((await fetch(`${url}${api}/products`)).status, 401)
  })
}

for (const [i, { code, ...block }] of others.entries()) {
  t.test(`${placeOf({ code, ...block })} runs as pasted`, async (t) => {
    const variables = {
      ...(/\bcluster\b/.test(code) && { DATABASE_URL: await freshDatabase(t) }),
      ...(code.includes('WEBHOOK_SECRET') && { WEBHOOK_SECRET: webhookSecret }),
    }
    const program = await pasted(t, `sample-${i}`, code, variables)
    if (!code.includes('.listen(')) return t.strictSame(await program.ended, [0, ''])
    const url = await program.url
    if (url === undefined) return t.fail((await program.ended)[1])
    t.match((await fetch(`${url}${api}/products`)).status, /^40[14]$/)
    if (code.includes('app.swagger()')) {
      const { paths } = (await (await fetch(`${url}/documents/shop.json`)).json()) as { paths: object }
      t.ok('/stock' in paths && `${api}/products` in paths && !('/documents/shop.json' in paths))
    }
    // A process that starts while its cluster ends says so. The first one listens for all of them.
    if (/\bcluster\b/.test(code)) while (program.listening() < 1 + availableParallelism()) await delay(20)
    program.child.kill()
    t.equal((await program.ended)[1], '')
  })
}
