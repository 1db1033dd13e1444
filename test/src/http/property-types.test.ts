// Sends every property of every body, as the schemas list them, with values of all wrong types.
import t from 'tap'
import { newCategory, newProduct, newView } from '../../support/fixtures/rows.ts'
import { build } from '../../support/hosts/build.ts'
import { onServers } from '../../support/hosts/fresh-host.ts'
import { watched } from '../../support/hosts/statements.ts'

interface Property {
  type?: string | string[]
  enum?: string[]
  readOnly?: boolean
}

interface Body {
  properties?: Record<string, Property>
  required?: string[]
}

const samples: Record<string, unknown> = {
  string: 'x',
  array: [{}],
  object: {},
  integer: 1,
  number: 1,
  boolean: true,
}

/** A body with what its route demands; a title comes along wherever there is one. */
function bodyOf({ properties = {}, required = [] }: Body): Record<string, unknown> {
  const names = Object.keys(properties).filter((name) => name === 'title' || required.includes(name))
  return Object.fromEntries(
    names.map((name) => {
      const { type = '', enum: choices } = properties[name] ?? {}
      return [name, choices?.[0] ?? samples[[type].flat()[0] ?? '']]
    }),
  )
}

const values: [type: string, value: unknown][] = [
  ['object', {}],
  ['object', { toSqlString: 'x', id: 1 }],
  ['array', []],
  ['array', ['x', { a: 1 }]],
  ['number', 1.5],
  ['integer', 1],
  ['boolean', true],
  ['null', null],
  ['string', '5'],
]

t.test('a value of another type is refused in every property of every body, by its name', async (t) => {
  const host = await build(t)
  await newView(host, await newProduct(host))
  await newCategory(host, 'Cups')
  let tried = 0
  for (const { method, url, schema } of host.routes) {
    const body = (schema?.body ?? {}) as Body
    for (const [name, { type, readOnly }] of Object.entries(body.properties ?? {})) {
      if (readOnly) continue
      const types = [type ?? []].flat()
      t.ok(types.length > 0, `${url} says what ${name} is`)
      for (const [, value] of values.filter(
        ([kind, value]) =>
          !types.includes(kind) &&
          !(types.includes('number') && kind === 'integer') &&
          // PHP writes an empty object as [].
          !(types.includes('object') && Array.isArray(value) && value.length === 0),
      )) {
        const path = url.replace('/wp-json/svc/v1', '').replace(/:\w+/, '1')
        const response = await host.call(String(method), path, { ...bodyOf(body), [name]: value })
        const what = `${method} ${path} ${name} ${JSON.stringify(value)}`
        t.strictSame(
          [response.status, response.body.code, Object.keys(response.body.data.params ?? {})],
          [400, 'rest_invalid_param', [name]],
          what,
        )
        tried++
      }
    }
  }
  t.ok(tried > 100, 'the walk reaches the properties')
})

onServers('nothing of a body becomes a name in a statement', async (t, engine) => {
  const host = await watched(t, { engine })
  const sent = ['zzz1', 'zzz2', 'zzz3']
  const statements = await host.statementsOf(async () => {
    await host.call('POST', '/products', { title: 'zzz1', options: { zzz2: { zzz3: 1 } }, thumbnail: 'zzz1' })
    await host.call('PATCH', '/products/1', { options: { zzz2: { zzz3: { zzz1: 2 } } } })
    await host.call('GET', '/products?search=zzz1&order_by=title&zzz2=1')
    await host.call('POST', '/categories', { title: 'zzz3' })
  })
  t.ok(statements.length > 8)
  for (const { sql, parameters } of statements) {
    t.notOk(
      sent.some((word) => sql.includes(word)),
      sql,
    )
    t.notOk(
      parameters.some((value) => typeof value === 'object' && value !== null),
      'plain values only',
    )
  }
})

onServers('a string that would end a statement is a string like any other', async (t, engine) => {
  const host = await build(t, { engine })
  const titles = [
    "x'; drop table wp_svc_products; --",
    '\\',
    "\\'",
    '"`',
    '%00\u0001',

    '??',
    ':id',
    '/*!50000*/',
  ]
  for (const title of titles) {
    const { status, body } = await host.call('POST', '/products', { title })
    t.strictSame([status, body.data?.title], [201, title])
    t.equal(
      (await host.call('GET', `/products?search=${encodeURIComponent(title)}`)).body.meta.total,
      1,
      title,
    )
  }
  t.equal((await host.call('GET', '/products')).body.meta.total, titles.length)
})
