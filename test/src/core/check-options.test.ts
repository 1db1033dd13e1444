// Options are checked as TypeBox checks them; only objects are taken apart, so that an error can name the property.
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { apiOptions } from '../../../plugins/context/options-schema.ts'
import { screenOptions } from '../../../plugins/settings-screen/options-schema.ts'
import { matches } from '../../../src/core/check-options.ts'
import { Kind, Type } from '../../../src/core/typebox.ts'
import { cmsUrlOptions, migrateOptions, tokenOptions } from '../../../src/upkeep/options-schema.ts'

/** The schemas of all options, by path. */
function leaves(schema: TSchema, path: string): [string, TSchema][] {
  if (schema[Kind] === 'Object')
    return Object.entries<TSchema>(schema.properties).flatMap(([name, inner]) =>
      leaves(inner, `${path}.${name}`),
    )
  if (schema[Kind] === 'Union')
    return [[path, schema], ...schema.anyOf.flatMap((form: TSchema) => leaves(form, path))]
  if (schema[Kind] === 'Array') return [[path, schema], ...leaves(schema.items, `${path}[]`)]
  return [[path, schema]]
}

const texts = [
  '',
  'a',
  '/wp-json',
  'https://shop.example',
  'whsec_c2VjcmV0c2VjcmV0c2VjcmV0',
  'f'.repeat(64),
  'ä $',
]
const numbers = [0, -1, 1, 0.5, 60, 180, 181, 1e6, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY]
const values = [
  ...texts,
  ...numbers,
  null,
  undefined,
  true,
  false,
  5n,
  Symbol('s'),
  () => {},
  [],
  ['a:1'],
  [1],
  [null],
]

const records = [{}, { Arial: 'Liberation Sans' }, { Arial: '' }, { Arial: 1 }]

t.test('every option is accepted or refused as TypeBox does', async (t) => {
  const options = { apiOptions, screenOptions, cmsUrlOptions, migrateOptions, tokenOptions }
  const all = Object.entries(options).flatMap(([name, schema]) => leaves(schema, name))
  t.ok(all.length > 50)
  for (const [path, schema] of all) {
    for (const value of schema[Kind] === 'Record' ? [...values, ...records] : values)
      t.equal(
        matches(schema, value),
        Value.Check(schema, value),
        `${path}: ${typeof value} ${JSON.stringify(String(value))}`,
      )
  }
})

t.test('a schema of another kind is an error, not a check that passes', async (t) => {
  t.throws(() => matches(Type.Null(), null), /kind Null/)
})
