// Generates requests for fast-check from the schemas of the routes: mostly valid, partly invalid, or noise.
import fc from 'fast-check'
import type { RouteOptions } from 'fastify'
import { token } from './build.ts'

interface Schema {
  type?: string | string[]
  description?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  minimum?: number
  maximum?: number
  minItems?: number
  maxLength?: number
  pattern?: string
}

export const root = '/wp-json/svc/v1'

export interface Draft {
  method: string
  /** Path and query. */
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array
  /** The value of the body if it was generated from the schema. */
  sent?: unknown
}

const oddTexts = fc.constantFrom(
  ...[
    '',
    ' ',
    '\t\n',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udfff',
    '😀',
    '👩‍👩‍👧',
    'ä',
    'a\u0308',
    'İı',
    'ß',
    'Σς',
    '\u202e',
    '\ufeff',
  ],
  ...[
    "'",
    '"',
    '\\',
    '%',
    '_',
    '`',
    "'; drop table x; --",
    '{{1}}',
    '<script>',
    '1e309',
    'null',
    '__proto__',
    'constructor',
  ],
  ...['x'.repeat(255), 'ä'.repeat(255), '😀'.repeat(128), 'x'.repeat(256), 'y'.repeat(70_000)],
)
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: oddTexts },
)
const oddNumbers = fc.constantFrom(
  ...[0, -0, -1, 0.5, 1e-9, 100, 101, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER, 2 ** 53, 1e21, -1e308],
)

/** Any JSON value, sometimes at or beyond the depth limit. */
const blob = fc.oneof(
  { weight: 8, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 520 }).map((depth) => nested(depth)) },
  { weight: 1, arbitrary: fc.dictionary(text, fc.oneof(text, oddNumbers), { maxKeys: 5 }) },
)

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { in: value }
  return value
}

const anything = fc.oneof(
  text,
  oddNumbers,
  fc.boolean(),
  fc.constant(null),
  blob,
  fc.array(fc.integer(), { maxLength: 3 }),
)

/** Values that a schema accepts. */
function valid(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valid))
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => valid({ ...schema, type })))
  switch (schema.type) {
    case 'integer': {
      const { minimum = -1000, maximum = Number.MAX_SAFE_INTEGER } = schema
      // Small ids belong to existing rows.
      const small = fc.integer({ min: minimum, max: Math.min(maximum, Math.max(minimum, 6)) })
      return fc.oneof(
        { weight: 6, arbitrary: small },
        { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
      )
    }
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'string':
      return text.map((value) =>
        schema.pattern && value.trim() === '' ? 'Shirt' : value.slice(0, schema.maxLength),
      )
    case 'array':
      return fc.array(schema.items ? valid(schema.items) : blob, {
        minLength: schema.minItems ?? 0,
        maxLength: 5,
      })
    case 'object':
      return schema.properties ? object(schema, valid) : fc.dictionary(text, blob, { maxKeys: 5 })
    default:
      return anything
  }
}

/** The required properties and up to two others: with more of them, requests are rejected too often. */
function object(
  { properties = {}, required = [] }: Schema,
  member: (schema: Schema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Record<string, unknown>> {
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  return fc
    .subarray(optional, { maxLength: Math.min(2, optional.length) })
    .chain((names) =>
      fc.record(
        Object.fromEntries([...required, ...names].map((name) => [name, member(properties[name] ?? {})])),
      ),
    )
}

const sometimesWrong = (schema: Schema) =>
  fc.oneof({ weight: 12, arbitrary: valid(schema) }, { weight: 1, arbitrary: anything })

const garbage = fc.constantFrom<string | Uint8Array>(
  ...[
    '',
    ' ',
    '{',
    '{"title":',
    '[]',
    'null',
    '"text"',
    '5',
    '{"a":1e400}',
    '{"__proto__":{"a":1}}',
    '\ufeff{}',
    '{}{}',
  ],
  ...[`${'['.repeat(100_000)}`, '{"title":"\\ud800"}', '{"title":"x","title":5}', 'title=x'],
  Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d),
)

function bodyOf(schema: Schema): fc.Arbitrary<Pick<Draft, 'body' | 'sent'>> {
  const made = (value: unknown) => ({ body: JSON.stringify(value), sent: value })
  return fc.oneof(
    { weight: 10, arbitrary: object(schema, valid).map(made) },
    { weight: 8, arbitrary: object(schema, sometimesWrong).map(made) },
    {
      weight: 1,
      arbitrary: fc.tuple(object(schema, valid), text, anything).map(([value, name, extra]) => ({
        body: JSON.stringify({ ...value, [name]: extra }),
      })),
    },
    { weight: 1, arbitrary: anything.map((value) => ({ body: JSON.stringify(value) })) },
    { weight: 1, arbitrary: garbage.map((body) => ({ body })) },
  )
}

function queryOf(schema: Schema | undefined): fc.Arbitrary<string> {
  const spelled = (value: unknown) =>
    encodeURIComponent((typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed()).slice(
      0,
      2000,
    )
  // The only valid strings here are property names.
  const names = fc
    .subarray(['id', 'title', 'thumbnail', 'options'], { minLength: 1 })
    .map((list) => list.join())
  const member = (schema: Schema) =>
    /members/.test(schema.description ?? '') ? names : sometimesWrong(schema)
  const known = schema ? object({ ...schema, required: [] }, member) : fc.constant({})
  const asked = known.map((query) =>
    Object.entries(query)
      .map(([name, value]) => `${name}=${Array.isArray(value) ? value.map(spelled).join() : spelled(value)}`)
      .join('&'),
  )
  const odd = fc.constantFrom(
    'limit=1&limit=2',
    'limit[]=1',
    '%zz',
    '&&=&',
    'fields=%00',
    'a'.repeat(5000),
    'search=%ff',
    '?',
  )
  return fc.oneof({ weight: 12, arbitrary: asked }, { weight: 1, arbitrary: odd })
}

const oddIds = [
  '0',
  '-1',
  '1.5',
  '01',
  '+1',
  '1e0',
  '0x1',
  '1%20',
  '9007199254740992',
  '9'.repeat(30),
  'abc',
  '%31',
  '1;',
  '..',
  '1%2F2',
  '%00',
  '%F0%9F%98%80',
  '١',
]
const id = fc.oneof(
  { weight: 10, arbitrary: fc.integer({ min: 1, max: 6 }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom(...oddIds) },
)

const header = (values: string[]) => fc.constantFrom(...values)
const right = `Bearer ${token}`
const headers = fc.record(
  {
    authorization: fc.oneof(
      { weight: 25, arbitrary: fc.constant(right) },
      {
        weight: 1,
        arbitrary: header([
          '',
          'Bearer',
          'Bearer ',
          'Basic eDp5',
          `bearer  ${token}`,
          `${right} `,
          'Bearer ä',
          `Bearer ${'x'.repeat(3000)}`,
        ]),
      },
    ),
    'content-type': fc.oneof(
      { weight: 25, arbitrary: fc.constant('application/json') },
      {
        weight: 1,
        arbitrary: header([
          'application/json; charset=utf-8',
          'APPLICATION/JSON',
          'application/json\t',
          'application/json garbage',
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
          'application/merge-patch+json',
          ';',
          'application/json; charset=utf-16',
        ]),
      },
    ),
    'if-match': header(['*', '"x"', 'W/"x"', 'x', '', '"', '"a", "b"', '"'.repeat(500)]),
    'if-none-match': header(['*', '"x"', 'W/"x"', 'x', '']),
    'idempotency-key': header(['a', 'b', 'c', '', 'x'.repeat(255), 'x'.repeat(256), 'é', '"quoted"']),
    'x-request-id': header(['mine', '', 'ä', 'x'.repeat(200), 'a b', '../../x', '{{x}}']),
    'x-http-method-override': header(['DELETE', 'GET']),
    range: header(['bytes=0-1']),
    accept: header(['application/xml', '*/*', '']),
    'content-encoding': header(['gzip', 'identity']),
  },
  { requiredKeys: ['authorization', 'content-type'] },
)

/** Omits most headers from most requests. */
const sparse = fc
  .tuple(headers, fc.integer({ min: 0, max: 9 }))
  .map(([all, mood]) =>
    Object.fromEntries(
      Object.entries(all).filter(([name], at) => mood > 7 || at < 2 || (name.length + mood) % 7 === 0),
    ),
  )

function draftOf(route: RouteOptions): fc.Arbitrary<Draft> {
  const schema = (route.schema ?? {}) as { querystring?: Schema; body?: Schema }
  const base = route.url
  const path = fc.tuple(...(base.match(/:\w+/g) ?? []).map(() => id)).map((ids) => {
    let at = 0
    return base.replace(/:\w+/g, () => String(ids[at++]))
  })
  const body = schema.body
    ? bodyOf(schema.body)
    : fc.oneof(
        { weight: 8, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: garbage.map((value) => ({ body: value })) },
      )
  const method = fc.oneof(
    { weight: 30, arbitrary: fc.constant(String(route.method)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'GET',
        'HEAD',
        'POST',
        'PUT',
        'PATCH',
        'DELETE',
        'OPTIONS',
        'QUERY',
        'TRACE',
      ),
    },
  )
  return fc
    .tuple(method, path, queryOf(schema.querystring), sparse, body)
    .map(([verb, where, query, sent, content]) => ({
      method: verb,
      path: query === '' ? where : `${where}?${query}`,
      headers: sent as Record<string, string>,
      // Node allows no body for these two.
      ...(verb === 'HEAD' || verb === 'TRACE' ? {} : content),
    }))
}

const oddPaths = [
  '',
  '/',
  '//',
  '/products//',
  '/products/1/',
  '/products%2F1',
  '/%70roducts',
  '/PRODUCTS',
  '/%zz',
  '/products/%',
  '/%00',
  '/*',
  '/:id',
  '/products/1/views/2',
  `/${'a'.repeat(3000)}`,
  '/ü',
  '/products;x',
  '/products#x',
]

/** Any request, to a known or unknown route. */
export function anyRequest(routes: readonly RouteOptions[]): fc.Arbitrary<Draft> {
  const beside = fc.record({
    method: fc.constantFrom('GET', 'POST', 'DELETE'),
    path: fc.constantFrom(...oddPaths).map((path) => root + path),
    headers: sparse,
  })
  return fc.oneof(
    ...routes
      .filter(({ method }) => method !== 'HEAD')
      .map((route) => ({ weight: 4, arbitrary: draftOf(route) })),
    { weight: 2, arbitrary: beside as fc.Arbitrary<Draft> },
  )
}
