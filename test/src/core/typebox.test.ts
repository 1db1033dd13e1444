// Our schema builders build what TypeBox builds, to the byte and the symbol.
import { Kind as TheirKind, Type as Theirs } from '@sinclair/typebox'
import t from 'tap'
import { Kind, Type as Ours } from '../../../src/core/typebox.ts'

type Builders = typeof Ours
const cases: Record<keyof Builders, (type: Builders) => object[]> = {
  Any: (type) => [type.Any(), type.Any({ must: 'be', description: 'Any value' })],
  Array: (type) => [
    type.Array(type.String()),
    type.Array(type.Null(), { minItems: 1, description: 'Items' }),
  ],
  Boolean: (type) => [type.Boolean(), type.Boolean({ default: false })],
  Function: (type) => [type.Function([], type.Any(), { must: 'be a function' })],
  Integer: (type) => [type.Integer(), type.Integer({ minimum: 0, maximum: 5 })],
  Literal: (type) => [type.Literal('a'), type.Literal(5, { description: 'Five' }), type.Literal(true)],
  Null: (type) => [type.Null(), type.Null({ description: 'Nothing' })],
  Number: (type) => [type.Number(), type.Number({ minimum: 0 })],
  Object: (type) => [
    type.Object({}),
    type.Object({ a: type.String(), b: type.Optional(type.Integer()) }, { additionalProperties: true }),
    type.Object({ b: type.Optional(type.Integer()) }, { description: 'Nothing is required' }),
  ],
  Optional: (type) => [
    type.Optional(type.String({ minLength: 1 })),
    type.Optional(type.Object({ a: type.Any() })),
  ],
  Partial: (type) => [
    type.Partial(type.Object({ a: type.String(), b: type.Optional(type.Null()) }, { title: 'T' })),
  ],
  Record: (type) => [type.Record(type.String(), type.Integer(), { description: 'Counts' })],
  String: (type) => [type.String(), type.String({ enum: ['a', 'b'], 'x-message': 'must be a or b' })],
  Union: (type) => [
    type.Union([type.String(), type.Null()], { description: 'Both' }),
    type.Union([type.String({ minLength: 1 })], { description: 'One' }),
  ],
  Unknown: (type) => [type.Unknown(), type.Unknown({ readOnly: true })],
  Unsafe: (type) => [
    type.Unsafe<string[]>({ type: ['string', 'null'] }),
    type.Unsafe(type.Integer({ minimum: 1 })),
  ],
}

/** With the symbols as properties, which JSON omits. */
function shown(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shown)
  if (typeof schema !== 'object' || schema === null) return schema
  const symbols = Object.getOwnPropertySymbols(schema).map((symbol) => [
    String(symbol),
    Reflect.get(schema, symbol),
  ])
  return Object.fromEntries([
    ...Object.entries(schema).map(([name, value]) => [name, shown(value)]),
    ...symbols,
  ])
}

for (const [name, build] of Object.entries(cases)) {
  t.test(`${name} gives the schema that TypeBox gives, with the properties in its order`, async (t) => {
    const ours = build(Ours)
    const theirs = build(Theirs)
    t.ok(ours.length > 0)
    t.equal(JSON.stringify(ours), JSON.stringify(theirs))
    t.strictSame(ours.map(shown), theirs.map(shown))
  })
}

t.test('schemas of TypeBox itself are understood, too', async (t) => {
  t.equal(Kind, TheirKind)
  t.equal(Theirs.String()[Kind], 'String')
})
