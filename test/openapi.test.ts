// The OpenAPI document: complete, lint-clean, true to the instance, the same as the file in the package, and never poorer.
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv } from 'ajv'
import t from 'tap'
import type { OpenApiDocument } from '../plugins/openapi/document.ts'
import { clientFiles } from '../tools/generate/client.ts'
import { build, operationOf } from './support/hosts/build.ts'
import { lostIn } from './support/hosts/compatibility.ts'

const root = resolve(import.meta.dirname, '..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const run = promisify(execFile)

const operationsOf = (document: OpenApiDocument) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, path, method })),
  )

t.test('it has every route of the API once, with the id of its operation', async (t) => {
  const { call, routes } = await build(t)
  const { status, headers, body } = await call('GET', '/openapi.json')
  t.equal(status, 200)
  t.match(headers['content-type'], /^application\/json/)
  const ids = operationsOf(body).map(({ operationId }) => operationId)
  const served = routes.filter(({ method }) => method !== 'HEAD').map(operationOf)
  t.strictSame([...ids].sort(), [...new Set(served)].sort())
  t.equal((await call('GET', '/openapi.json', undefined, { 'if-none-match': headers.etag })).status, 304)
})

t.test('it needs the token', async (t) => {
  const { call } = await build(t)
  t.equal((await call('GET', '/openapi.json', undefined, { authorization: undefined })).status, 401)
})

t.test('it reflects base path, site and toggles of the running instance', async (t) => {
  const { call } = await build(t, { baseUrl: '/api', siteUrl: 'https://other.example' })
  const { body: before } = await call('GET', '/openapi.json')
  t.equal(before.servers[0].url, 'https://other.example/api')
  t.ok(before.paths['/svc/v1/fonts'])
  await call('PATCH', '/settings', { svc_api_fonts_enabled: false })
  const { body: after } = await call('GET', '/openapi.json')
  t.notOk(after.paths['/svc/v1/fonts'])
  t.notOk(after.tags.some(({ name }: { name: string }) => name === 'fonts'))
  t.ok(after.paths['/svc/v1/products'])
})

t.test('it is valid, and redocly and spectral find nothing in it', async (t) => {
  const document = JSON.parse(read('openapi.json'))
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  t.ok(valid, JSON.stringify(errors))
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const bin = (name: string) => join(root, 'node_modules/.bin', name)
  const redocly = await run(bin('redocly'), ['lint', 'openapi.json', '--format=json'], { cwd: root, env })
  t.strictSame(JSON.parse(redocly.stdout).problems, [])
  const ruleset = join(t.testdir({ 'rules.yaml': 'extends: ["spectral:oas"]\n' }), 'rules.yaml')
  const findings = join(t.testdirName, 'findings.json')
  const spectral = ['lint', '-r', ruleset, '-f', 'json', '-o', findings, '--quiet', 'openapi.json']
  await run(bin('spectral'), spectral, { cwd: root })
  t.strictSame(JSON.parse(readFileSync(findings, 'utf8')), [])
})

t.test('all schemas in it compile', async (t) => {
  const document = JSON.parse(read('openapi.json'))
  const ajv = new Ajv({ strict: false, formats: { binary: true } })
  ajv.addSchema(document, 'document')
  for (const name of Object.keys(document.components.schemas))
    t.ok(ajv.getSchema(`document#/components/schemas/${name}`), name)
})

t.test('each method, argument and property of the client says what it is', async (t) => {
  const document: OpenApiDocument = JSON.parse(read('openapi.json'))
  for (const [path, content] of Object.entries(clientFiles(document))) {
    const lines = content.slice(0, content.indexOf('/** A form as body')).split('\n')
    const members = lines.filter((line) => /^\s+"?\w+(\[\])?"?(\?|\(.*\))?: /.test(line))
    t.ok(members.length > 40, path)
    const silent = lines.filter((line, i) => members.includes(line) && !/\*\/$/.test(lines[i - 1] ?? ''))
    t.strictSame(
      silent.filter((line) => !/^ {2}\w+: \{$|^ {4}data: /.test(line) || line.includes('(')),
      [],
      path,
    )
  }
})

t.test('it has lost no path, parameter, field or enum value of a released document', async (t) => {
  const current = JSON.parse(read('openapi.json'))
  const released = globSync('test/released/*.json', { cwd: root })
  t.ok(released.length > 0)
  // Bodies that arrive too slowly are the business of the host's server.
  const isLost = (place: string) => !place.endsWith('/responses/408')
  for (const file of released) t.strictSame(lostIn(JSON.parse(read(file)), current).filter(isLost), [], file)
})

t.test('a lost path, operation, parameter, field, enum value or status is found', async (t) => {
  const released = JSON.parse(read('openapi.json'))
  const without = (change: (document: OpenApiDocument) => void) => {
    const document = structuredClone(released)
    change(document)
    return lostIn(released, document).length
  }
  t.equal(
    without(() => {}),
    0,
  )
  const product = '/svc/v1/products/{id}'
  t.ok(without(({ paths }) => Reflect.deleteProperty(paths, product)))
  t.ok(without(({ paths }) => Reflect.deleteProperty(paths[product] ?? {}, 'patch')))
  t.ok(without(({ paths }) => paths[product]?.get?.parameters?.splice(1, 1)))
  t.ok(without(({ paths }) => Reflect.deleteProperty(paths[product]?.get?.responses ?? {}, '404')))
  const { schemas } = released.components
  t.ok(schemas.Product.properties.type.enum.length > 1)
  t.ok(without(({ components }) => Object(components.schemas.Product).properties.type.enum.pop()))
  t.ok(
    without(({ components }) => Reflect.deleteProperty(Object(components.schemas.View).properties, 'title')),
  )
})
