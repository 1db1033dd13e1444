// docs/reference is what the code makes of itself, and complete: every route, code, option, variable and test.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { errorTable, svcApi } from '../../plugins/index.ts'
import { hostRefusalCode, jobErrors } from '../../src/core/errors.ts'
import { generatedFiles } from '../../tools/generate/index.ts'
import { commandVariables, variables, variablesOfHost } from '../../tools/generate/reference/environment.ts'
import { errorRemarks } from '../../tools/generate/reference/error-remarks.ts'
import { undescribed } from '../../tools/generate/reference/options.ts'
import { Fastify } from '../support/hosts/fastify.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const page = (name: string) => read(`docs/reference/${name}.md`)

t.test('every generated file is what `npm run generate` makes, and no other page is there', async (t) => {
  const files = await generatedFiles()
  for (const [path, content] of Object.entries(files))
    t.ok(
      existsSync(join(root, path)) && read(path) === content,
      `${path} is out of date: run npm run generate`,
    )
  const pages = globSync('docs/reference/**', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `docs/reference/${name}`)
  t.strictSame(
    pages.sort(),
    Object.keys(files)
      .filter((path) => path.startsWith('docs/reference/'))
      .sort(),
  )
})

t.test('the routes that are served are those of the reference', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const served = new Set<string>()
  app.addHook('onRoute', ({ method, url, schema }) => {
    const path = url
      .replace(/^\/wp-json\/svc\/v1/, '')
      .replace(/^\/wp-json/, '{baseUrl}')
      .replace(/:(\w+)/g, '{$1}')
    // Fastify adds HEAD by itself; what is hidden or ends with `/*` is the response to what is no route.
    if (method === 'HEAD' || path.endsWith('/*') || Reflect.get(schema ?? {}, 'hide')) return
    served.add(`${method} \`${path.replace(/(.)\/$/, '$1')}\` ${Reflect.get(schema ?? {}, 'operationId')}`)
  })
  app.register(svcApi, {
    database: `sqlite:${t.testdir({})}/test.sqlite`,
    siteUrl: 'https://shop.example',
    migrate: true,
  })
  await app.ready()
  const rows = page('routes').matchAll(/^\| ([A-Z]+) \| (`\S+`) \| \[(\w+)\]/gm)
  const named = [...rows].map(([, method, path, operation]) => `${method} ${path} ${operation}`)
  t.ok(named.length > 50)
  t.strictSame(named.sort(), [...served].sort())
})

t.test('every code of a response or a print job is in the reference, and no other', async (t) => {
  const rows = page('errors').matchAll(/^\| \[?`((?:svc|rest)_\w+)`/gm)
  const known = [...Object.keys(errorTable), ...Object.keys(jobErrors)]
  t.strictSame([...rows].map(([, name]) => name).sort(), known.sort())
  t.match(page('errors'), `\`${hostRefusalCode}\``)
})

t.test('a remark is about a code that exists', async (t) => {
  const known = new Set([...Object.keys(errorTable), ...Object.keys(jobErrors)])
  t.strictSame(
    Object.keys(errorRemarks).filter((name) => !known.has(name)),
    [],
  )
})

t.test('every option that is accepted is described', async (t) => {
  t.strictSame(undescribed(root), [])
})

t.test('every command that `--help` lists has its section, and its name in llms.txt', (t) => {
  const [, overview = ''] = /```text\n(.*?)```/s.exec(page('commands')) ?? []
  const names = [...overview.matchAll(/^ {2}(\w\S*) /gm)].map(([, name = '']) => name)
  t.ok(names.includes('erase-customer'))
  t.strictSame(
    [...page('commands').matchAll(/^## (\S+)$/gm)].map(([, name]) => name),
    names,
  )
  for (const name of names) t.match(read('llms.txt'), `\`${name}\``)
  t.end()
})

t.test('every environment variable that the example host reads is described, and no other', async (t) => {
  t.strictSame(Object.keys(variables).sort(), [...variablesOfHost(), ...commandVariables].sort())
})
