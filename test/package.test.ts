// The package as its users get it: packed, installed into an empty folder, registered in JavaScript and in TypeScript.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'

const root = resolve(import.meta.dirname, '..')
const tools = join(root, 'node_modules/.bin')
const tarballs = await mkdtemp(join(tmpdir(), 'svc-package-'))
const consumer = await mkdtemp(join(tmpdir(), 'svc-consumer-'))
t.teardown(() => Promise.all([tarballs, consumer].map((dir) => rm(dir, { recursive: true }))))

async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  try {
    // tap hands its loaders down to every child process; they are not for the programs of a user.
    const program = ['-u', 'NODE_OPTIONS', command, ...args]
    return (await promisify(execFile)('env', program, { cwd })).stdout
  } catch (error) {
    // Compilers and linters say on stdout what is wrong.
    throw new Error(`${command}: ${Reflect.get(Object(error), 'stdout')}${error}`)
  }
}

await run(root, 'npm', 'pack', '--ignore-scripts', '--pack-destination', tarballs)
const tarball = join(tarballs, (await readdir(tarballs))[0] ?? '')
await writeFile(join(consumer, 'package.json'), '{ "private": true, "type": "module" }')
const quietly = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
await run(consumer, 'npm', 'install', ...quietly, tarball, 'fastify@5.12.8', '@types/node@24')

t.test('the tarball holds what runs, its sources and its papers, and nothing else', async (t) => {
  const files = (await run(root, 'tar', 'tzf', tarball)).trim().split('\n')
  const papers = ['LICENSE', 'README.md', 'CHANGELOG.md', 'package.json'].map((name) => `package/${name}`)
  for (const name of papers) t.ok(files.includes(name), name)
  const others = files.filter((name) => !papers.includes(name))
  t.strictSame(
    others.filter((name) => !/^package\/(dist\/)?(plugins|src)\/.+\.(ts|js|map)$/.test(name)),
    [],
  )
})

t.test(
  'the memory of the last build lies in the build, so that one that was deleted is made anew',
  async (t) => {
    const config = JSON.parse(
      await run(root, join(tools, 'tsc'), '-p', 'tsconfig.build.json', '--showConfig'),
    )
    const { outDir, tsBuildInfoFile } = config.compilerOptions
    t.equal(tsBuildInfoFile, `${outDir}/.tsbuildinfo`)
  },
)

t.test('publint and attw find nothing wrong with it', async (t) => {
  t.match(await run(root, join(tools, 'publint'), tarball, '--strict'), 'All good!')
  const entries = ['--entrypoints', '.', 'plugins/products', 'plugins/context']
  await run(root, join(tools, 'attw'), tarball, '--profile', 'esm-only', ...entries)
})

t.test('in JavaScript, one registration serves the whole API', async (t) => {
  const answers = await inConsumer(`
    import Fastify from 'fastify'
    import svcApi from 'svc-api'
    const app = Fastify()
    app.register(svcApi, { database: 'sqlite::memory:', siteUrl: 'https://shop.example', migrate: true })
    const ask = async (url) => (await app.inject(url)).statusCode
    console.log(JSON.stringify([
      await ask('/wp-json/svc/v1/system'), await ask('/wp-json/svc/v1/views/1'), await ask('/wp-json/svc/v1/none'),
    ]))
    await app.close()`)
  t.strictSame(answers, [401, 401, 404])
})

t.test('one group alone answers 401 without a token, and what was not mounted is not there', async (t) => {
  const answers = await inConsumer(`
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
  t.strictSame(answers, [401, 403, 200, 404])
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

t.test('in TypeScript it is typed, and its declarations are sound without skipLibCheck', async (t) => {
  await writeFile(
    join(consumer, 'consumer.ts'),
    `import Fastify from 'fastify'
    import svcApi, { ensureToken, migrate, type SvcApiOptions, svcContext } from 'svc-api'
    import products from 'svc-api/plugins/products'
    const options: SvcApiOptions = { database: 'sqlite:x', siteUrl: 'https://shop.example', migrate: true }
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
    console.log(statements, token)`,
  )
  const options = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2023', '--types', 'node']
  t.equal(await run(consumer, join(tools, 'tsc'), ...options, '--module', 'nodenext', 'consumer.ts'), '')
})
