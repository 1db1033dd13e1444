// The documents are held to the code, both ways: every route, every error code, the version, the tests named.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import t from 'tap'
import { errorTable, svcApi } from '../plugins/index.ts'
import { hostRefusalCode, jobErrors } from '../src/core/errors.ts'
import { version } from '../src/core/version.ts'
import { Fastify } from './support/fastify.ts'

const read = (name: string) => readFileSync(resolve(import.meta.dirname, '..', name), 'utf8')

/** Cells of the table rows below a heading of the README, without backticks. */
function tableUnder(heading: string): string[][] {
  const [, after] = read('README.md').split(`\n## ${heading}\n`)
  const [section = ''] = (after ?? '').split('\n## ', 1)
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.replaceAll('`', '').trim()),
    )
}

t.test('the README names every route with its operation, and no other', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const served: string[] = []
  app.addHook('onRoute', ({ method, url, schema }) => {
    const path = url
      .replace(/^\/wp-json\/svc\/v1/, '')
      .replace(/^\/wp-json/, '{baseUrl}')
      .replace(/:(\w+)/g, '{$1}')
    // Fastify adds HEAD by itself; what is hidden or ends with `/*` is the response to what is no route.
    if (method === 'HEAD' || path.endsWith('/*') || Reflect.get(schema ?? {}, 'hide')) return
    served.push(`${method} ${path.replace(/(.)\/$/, '$1')} ${Reflect.get(schema ?? {}, 'operationId')}`)
  })
  app.register(svcApi, {
    database: `sqlite:${t.testdir({})}/test.sqlite`,
    siteUrl: 'https://shop.example',
    migrate: true,
  })
  await app.ready()
  const named = tableUnder('Routes').map(([method, path, operation]) => `${method} ${path} ${operation}`)
  t.ok(named.length > 0)
  t.strictSame([...named].sort(), [...new Set(served)].sort())
})

t.test(
  'the README lists every code of a response or a print job with its status, and no other',
  async (t) => {
    const named = tableUnder('Errors').map(([code, status]) => `${code} ${status}`)
    const known = [
      ...Object.entries(errorTable).map(([code, [status]]) => `${code} ${status}`),
      ...Object.keys(jobErrors).map((code) => `${code} job`),
      `${hostRefusalCode} 4xx`,
    ]
    t.strictSame(named.sort(), known.sort())
  },
)

t.test('every code that the sources throw or store is one of the table', async (t) => {
  const root = resolve(import.meta.dirname, '..')
  const known = new Set([...Object.keys(errorTable), ...Object.keys(jobErrors), hostRefusalCode])
  for (const file of globSync('{src,plugins}/**/*.ts', { cwd: root })) {
    const source = readFileSync(resolve(root, file), 'utf8')
    for (const [, code = ''] of source.matchAll(/(?:SvcError\(|fail\(|\bcode: )'((?:svc|rest)_\w+)'/g))
      t.ok(known.has(code), `${file}: ${code}`)
  }
})

t.test('the version that /system reports is that of the package, and the change log has it', async (t) => {
  t.equal(version, JSON.parse(read('package.json')).version)
  t.match(read('CHANGELOG.md'), new RegExp(`^## .*${version.replaceAll('.', '\\.')}`, 'm'))
})

t.test('every test that the table of decisions names is there', async (t) => {
  const named = new Set(read('src/README.md').match(/\btest\/[\w/-]+\.test\.ts/g))
  t.ok(named.size > 0)
  for (const file of named) t.ok(existsSync(resolve(import.meta.dirname, '..', file)), file)
})

t.test('no document holds markers of an unresolved merge', async (t) => {
  const root = resolve(import.meta.dirname, '..')
  const documents = globSync('{*.md,llms.txt,{src,plugins,examples,docs}/**/*.md}', { cwd: root })
  t.ok(documents.length > 3)
  for (const name of documents) t.notMatch(read(name), /^(<{7}|={7}|>{7})( |$)/m, name)
})
