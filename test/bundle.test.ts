// The bundle that the package's users import: all of our own code, once, and nothing else.
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'

const root = resolve(import.meta.dirname, '..')
const folder = resolve(root, 'dist/bundle')
const { dependencies, peerDependencies, exports } = JSON.parse(
  readFileSync(resolve(root, 'package.json'), 'utf8'),
)
const codeOf = (name: string) => readFileSync(resolve(folder, name), 'utf8')
const code = globSync('*.js', { cwd: folder }).map(codeOf).join('\n')

/** What a module script prints as JSON, in a process of its own. */
async function printed(script: string) {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    env: { PATH: process.env.PATH },
  })
  return JSON.parse(stdout)
}

t.test('it imports the dependencies and bundles none of them but TypeBox, with its license', async (t) => {
  const names = [...code.matchAll(/^import (?:.*? from )?"(.+?)";$/gm)].map(([, name = '']) => name)
  const packages = names.filter((name) => !/^(\.|node:)/.test(name))
  t.ok(packages.includes('kysely'))
  for (const name of packages) {
    const [owner = '', rest = ''] = name.split('/')
    const known = owner.startsWith('@') ? `${owner}/${rest}` : owner
    t.ok(known in dependencies || known in peerDependencies, name)
  }
  const bundled = [...code.matchAll(/^\/\/ .*node_modules\/((?:@[^/]+\/)?[^/]+)/gm)].map(([, name]) => name)
  t.strictSame([...new Set(bundled)], ['@sinclair/typebox'])
  t.match(code, /TypeBox[\s\S]+The MIT License/)
})

t.test('each entry exports what its types promise', async (t) => {
  const groups = globSync('plugins/*/index.js', { cwd: resolve(root, 'dist') }).map(
    (path) => path.split('/')[1] ?? '',
  )
  t.ok(groups.length > 20)
  t.match(exports['./plugins/*'], { default: './dist/bundle/plugins/*.js' })
  const pairs = [
    ['index.js', 'plugins/index.js'],
    ['testing.js', 'plugins/testing.js'],
    ...groups.map((group) => [`plugins/${group}.js`, `plugins/${group}/index.js`]),
  ]
  for (const [bundled = '', compiled = ''] of pairs) {
    const names = async (path: string) => Object.keys(await import(resolve(root, 'dist', path)))
    t.strictSame(await names(`bundle/${bundled}`), await names(compiled), bundled)
  }
})

t.test('all entries share one copy of the code', async (t) => {
  t.ok(
    await printed(`
      const all = await import('svc-api')
      const { default: products } = await import('svc-api/plugins/products')
      console.log(all.products === products)`),
  )
})

t.test('importing the package loads few modules, and not what only downloads need', async (t) => {
  const { own, all, builtins } = await printed(`
    import { registerHooks } from 'node:module'
    let own = 0, all = 0
    registerHooks({ load(url, context, next) {
      if (url.startsWith('file:')) all++
      if (url.startsWith('file:') && !url.includes('node_modules')) own++
      return next(url, context)
    } })
    await import('svc-api')
    console.log(JSON.stringify({ own, all, builtins: process.moduleLoadList }))`)
  t.ok(own <= 5, `${own} modules of our own`)
  // Almost all of them are Kysely's.
  t.ok(all <= 300, `${all} modules`)
  // The HTTP client with its fetch and WebSockets costs 14 MB.
  t.notOk(builtins.some((name: string) => name.includes('undici')))
})

t.test('modules that run in child processes are found', async (t) => {
  const named = [...code.matchAll(/\binstalledUrl\("(.+?)"\)/g)].map(([, path = '']) => path)
  t.ok(named.length > 5)
  for (const path of named) t.ok(existsSync(resolve(folder, '..', path)), path)
  const statuses = await printed(`
    import Fastify from 'fastify'
    import { ensureToken, svcApi } from 'svc-api'
    const database = 'sqlite:${t.testdir({})}/shop.sqlite'
    const app = Fastify()
    app.register(svcApi, { database, siteUrl: 'https://shop.example', migrate: true })
    await app.ready()
    const authorization = 'Bearer ' + (await ensureToken({ database }))
    const call = async (method, path, payload) => {
      const url = '/wp-json/svc/v1' + path
      return (await app.inject({ method, url, headers: { authorization }, payload })).statusCode
    }
    const elements = [{ text: 'a'.repeat(1024 * 1024) }]
    console.log(JSON.stringify([
      await call('POST', '/products', { title: 'Mug' }),
      await call('POST', '/products/1/views', { title: 'Front', elements }),
      await call('GET', '/views/1'),
    ]))
    await app.close()`)
  t.strictSame(statuses, [201, 201, 200])
})
