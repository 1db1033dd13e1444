// The package as its users get it: packed, unpacked into an empty folder, registered in JavaScript and in TypeScript.
import { globSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import t from 'tap'
import { blocksIn, guides } from './support/hosts/documents.ts'
import { installedPackage, packed, runPlainly as run, strictly } from './support/hosts/installed-package.ts'

// Packing and compiling takes as long as the machine does. The comment tells tap, which would end this file.
t.setTimeout(300_000)
t.comment('timeout=300000')

const root = resolve(import.meta.dirname, '..')
const tools = join(root, 'node_modules/.bin')
const tarballs = await mkdtemp(join(tmpdir(), 'svc-package-'))
t.teardown(() => rm(tarballs, { recursive: true }))

const tarball = await packed(tarballs)
// The S3 packages are those that a host may lack.
const consumer = await installedPackage(t, /^@aws-sdk\//)
await writeFile(join(consumer, 'package.json'), '{ "private": true, "type": "module" }')

t.test('the tarball holds what runs, its types, its examples and its papers, and nothing else', async (t) => {
  const files = (await run(root, 'tar', 'tzf', tarball)).trim().split('\n')
  const papers = [
    'LICENSE',
    'CHANGELOG.md',
    'SECURITY.md',
    'openapi.json',
    'llms.txt',
    'package.json',
    ...guides,
    ...globSync('docs/reference/**/*.md', { cwd: root }),
    ...globSync('docs/*.png', { cwd: root }),
  ].map((name) => `package/${name}`)
  for (const name of papers) t.ok(files.includes(name), name)
  const examples = globSync('examples/**', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `package/${relative(root, join(entry.parentPath, entry.name))}`)
  t.ok(examples.length > 0)
  t.strictSame(files.filter((name) => name.startsWith('package/examples/')).sort(), examples.sort())
  const others = files.filter((name) => !papers.includes(name) && !examples.includes(name))
  t.strictSame(
    others.filter((name) => !/^package\/dist\/((plugins|src)\/.+\.d\.ts|.+\.js)$/.test(name)),
    [],
  )
  const code = await run(root, 'tar', 'xzOf', tarball, 'package/dist/bundle/api.js')
  t.notMatch(code, 'sourceMappingURL')
})

t.test(
  'package.json names its home, and no library in one exact version: only those whose private members are used to the patch',
  async (t) => {
    const { homepage, repository, dependencies } = JSON.parse(
      await readFile(join(root, 'package.json'), 'utf8'),
    )
    t.match(homepage, /^https:\/\//)
    t.match(repository, { type: 'git', url: /^git\+https:\/\// })
    for (const [name, range] of Object.entries(dependencies))
      t.match(range, ['fontkit', 'mysql2'].includes(name) ? /^~/ : /^\^/, name)
  },
)

t.test('no lockfile says where a package was downloaded', async (t) => {
  const lockfiles = globSync(['package-lock.json', 'tools/*/package-lock.json'], { cwd: root })
  t.ok(lockfiles.length > 1)
  for (const path of lockfiles)
    t.notMatch(await readFile(join(root, path), 'utf8'), /"resolved": "\w+:/, path)
})

t.test('publint and attw find nothing wrong with it', async (t) => {
  t.match(await run(root, join(tools, 'publint'), tarball, '--strict'), 'All good!')
  const entries = ['--entrypoints', '.', 'plugins/products', 'plugins/context']
  await run(root, join(tools, 'attw'), tarball, '--profile', 'esm-only', ...entries)
})

t.test('in JavaScript, one registration serves the whole API', async (t) => {
  const responses = await inConsumer(`
    import Fastify from 'fastify'
    import svcApi from 'svc-api'
    const app = Fastify()
    app.register(svcApi, { database: 'sqlite::memory:', siteUrl: 'https://shop.example', migrate: true })
    const ask = async (url) => (await app.inject(url)).statusCode
    console.log(JSON.stringify([
      await ask('/wp-json/svc/v1/system'), await ask('/wp-json/svc/v1/views/1'), await ask('/wp-json/svc/v1/none'),
    ]))
    await app.close()`)
  t.strictSame(responses, [401, 401, 404])
})

t.test('a single group responds with 401 without a token, and unmounted groups do not exist', async (t) => {
  const responses = await inConsumer(`
    import Fastify from 'fastify'
    import { ensureToken, svcContext } from 'svc-api'
    import products from 'svc-api/plugins/products'
    const app = Fastify()
    const database = 'sqlite:one-group.sqlite'
    app.register(async (scope) => {
      scope.register(svcContext, { database, siteUrl: 'https://shop.example', migrate: true })
      scope.register(products, { prefix: '/wp-json/svc/v1/products' })
    })
    await app.ready()
    const authorization = 'Bearer ' + (await ensureToken({ database }))
    const ask = async (url, headers = {}) => (await app.inject({ url, headers })).statusCode
    console.log(JSON.stringify([
      await ask('/wp-json/svc/v1/products'),
      await ask('/wp-json/svc/v1/products', { authorization: 'Bearer wrong' }),
      await ask('/wp-json/svc/v1/products', { authorization }),
      await ask('/wp-json/svc/v1/categories', { authorization }),
    ]))
    await app.close()`)
  t.strictSame(responses, [401, 403, 200, 404])
})

t.test('S3 without its packages is 503, and the response names them', async (t) => {
  const response = await inConsumer(`
    import Fastify from 'fastify'
    import { ensureToken, svcApi } from 'svc-api'
    import { storageConformance } from 'svc-api/testing'
    const app = Fastify()
    const database = 'sqlite:s3.sqlite'
    const s3 = { bucket: 'shop', accessKeyId: 'a', secretAccessKey: 'b' }
    app.register(svcApi, { database, siteUrl: 'https://shop.example', migrate: true, storage: { use: 's3', s3 } })
    await app.ready()
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const head = '--x\\r\\nContent-Disposition: form-data; name="file"; filename="a.png"\\r\\n\\r\\n'
    const { statusCode, body } = await app.inject({
      method: 'POST',
      url: '/wp-json/svc/v1/assets',
      headers: {
        authorization: 'Bearer ' + (await ensureToken({ database })),
        'content-type': 'multipart/form-data; boundary=x',
      },
      payload: Buffer.concat([Buffer.from(head), Buffer.from(png, 'base64'), Buffer.from('\\r\\n--x--\\r\\n')]),
    })
    await app.close()
    const { code, message } = JSON.parse(body)
    console.log(JSON.stringify({ statusCode, code, message, cases: storageConformance.length }))`)
  t.match(response, { statusCode: 503, code: 'svc_storage_not_configured', message: /@aws-sdk\/client-s3/ })
  t.ok(Number(Reflect.get(Object(response), 'cases')) > 10)
})

t.test('the command runs as it was installed', async (t) => {
  const command = ['node', join(consumer, 'node_modules/svc-api/dist/src/cli/main.js')]
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  t.equal(await run(consumer, 'env', ...command, '--version'), `${version}\n`)
  const database = 'DATABASE_URL=sqlite:command.sqlite'
  t.match(await run(consumer, 'env', database, ...command, 'migrate'), 'create table wp_svc_products')
  t.match(await run(consumer, 'env', database, ...command, 'token'), /^[0-9a-f]{64}\n$/)
  t.match(await run(consumer, 'env', database, ...command, 'openapi'), '"operationId": "list_products"')
})

t.test('a group without its context refuses to start, with a sentence', async (t) => {
  const problem = await inConsumer(`
    import Fastify from 'fastify'
    import { products } from 'svc-api'
    const app = Fastify()
    app.register(products)
    console.log(JSON.stringify(await app.ready().then(() => 'started', (error) => error.message)))`)
  t.match(problem, /svc-api-context/)
})

/** Runs a module in the consumer's folder and parses what it prints. */
async function inConsumer(code: string): Promise<unknown> {
  return JSON.parse(await run(consumer, process.execPath, '--input-type=module', '--eval', code))
}

const strict = [
  ...strictly,
  '--noUncheckedIndexedAccess',
  '--exactOptionalPropertyTypes',
  '--noImplicitOverride',
]

t.test(
  'every group that the guide to embedding names is exported, and is the default of its subpath',
  async (t) => {
    const guide = await readFile(join(consumer, 'node_modules/svc-api/docs/guide/embedding.md'), 'utf8')
    const [, sentence = ''] = /\bGroups are\s([\s\S]*?\.)\s/.exec(guide) ?? []
    const groups = [...sentence.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
    t.ok(groups.length > 10)
    const found = await inConsumer(`
    import * as api from 'svc-api'
    const kebab = (name) => name.replace(/[A-Z]/g, (letter) => '-' + letter.toLowerCase())
    const same = async (name) => (await import('svc-api/plugins/' + kebab(name))).default === api[name]
    console.log(JSON.stringify(await Promise.all(${JSON.stringify(groups)}.map(same))))`)
    t.strictSame(
      found,
      groups.map(() => true),
    )
  },
)

const user = `import Fastify from 'fastify'
    import svcApi, {
      ensureToken, type FileStorage, migrate, type OrderCreated, type PrintJobChange, type SvcApiOptions, svcContext,
    } from 'svc-api'
    import products from 'svc-api/plugins/products'
    const options: SvcApiOptions = {
      database: 'sqlite:x',
      siteUrl: 'https://shop.example',
      migrate: true,
      onOrderCreated: (order: OrderCreated) => console.log(order.id),
      onPrintJobChanged: (change: PrintJobChange) => console.log(change.status),
    }
    const storage: FileStorage | undefined = undefined
    const app = Fastify({ logger: true })
    await app.register(svcApi, options)
    app.register(async (scope) => {
      scope.register(svcContext, options)
      scope.register(products, { prefix: '/wp-json/svc/v1/products' })
    })
    // @ts-expect-error a number is no database
    app.register(svcApi, { database: 7 })
    const statements: string[] = await migrate({ database: 'sqlite:x', dryRun: true })
    const token: string = await ensureToken({ database: 'sqlite:x' })
    console.log(statements, token, storage)`

t.test(
  'a user, every code block of README and guides and every example compile under strict TypeScript without skipLibCheck',
  async (t) => {
    const samples = blocksIn('js', 'ts')
    t.ok(samples.length > 20)
    // Recipes go on with the app of the embedding.
    const app = "import Fastify from 'fastify'\nconst app = Fastify()\n"
    const whole = samples.map(({ code }) =>
      /\bapp\b/.test(code) && !/\bapp = /.test(code) ? app + code : code,
    )
    const written = [user, ...whole].map((code, i) => ({ name: `code-${i}.ts`, code }))
    await Promise.all(written.map(({ name, code }) => writeFile(join(consumer, name), code)))
    await cp(join(consumer, 'node_modules/svc-api/examples'), join(consumer, 'examples'), { recursive: true })
    const files = [...written.map(({ name }) => name), ...globSync('examples/**/*.ts', { cwd: consumer })]
    // At once, since the compiler reads the libraries' declarations each time.
    const output = await run(
      consumer,
      join(tools, 'tsc'),
      ...strict,
      '--allowImportingTsExtensions',
      ...files,
    )
    t.equal(output, '')
  },
)
