// The schema builders of TypeBox that this package uses. TypeBox itself would load 250 modules, a quarter of what a host
// loads with this package; only its types are imported, which cost nothing.
import type { TProperties, TSchema, Type as TypeBox } from '@sinclair/typebox'

/** The key of a schema's kind, such as `Object`; the same symbol as in TypeBox. */
export const Kind: typeof import('@sinclair/typebox').Kind = Symbol.for('TypeBox.Kind') as never
/**
 * The key that marks what is stored as JSON text, in schemas of responses: a symbol, because plugins of hosts compile these
 * schemas and refuse keywords that they do not know.
 */
export const StoredText: unique symbol = Symbol('svc-api stored text')
const OptionalKind = Symbol.for('TypeBox.Optional')

type Options = Record<string, unknown>

const schema =
  (kind: string, type?: string) =>
  (options?: Options): TSchema =>
    ({ ...options, [Kind]: kind, ...(type === undefined ? {} : { type }) }) as TSchema

function object(properties: TProperties, options?: Options): TSchema {
  const required = Object.keys(properties).filter(
    (name) => !Reflect.has(properties[name] ?? {}, OptionalKind),
  )
  return {
    ...options,
    [Kind]: 'Object',
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties,
  } as object as TSchema
}

const optional = (inner: TSchema) => ({ ...inner, [OptionalKind]: 'Optional' }) as TSchema

function partial(whole: TSchema, more?: Options): TSchema {
  const { properties, required: _, ...options } = whole
  const names = Object.keys(properties)
  return {
    ...object(Object.fromEntries(names.map((name) => [name, optional(properties[name])])), options),
    ...more,
  }
}

type Builder =
  | ('Any' | 'Array' | 'Boolean' | 'Function' | 'Integer' | 'Literal' | 'Null' | 'Number' | 'Object')
  | ('Optional' | 'Partial' | 'Record' | 'String' | 'Union' | 'Unknown' | 'Unsafe')

/** Builds the same schemas as TypeBox, with its types. */
export const Type = {
  Any: schema('Any'),
  Array: (items: TSchema, options?: Options) => ({ ...schema('Array', 'array')(options), items }),
  Boolean: schema('Boolean', 'boolean'),
  Function: (parameters: TSchema[], returns: TSchema, options?: Options) => ({
    ...schema('Function', 'Function')(options),
    parameters,
    returns,
  }),
  Integer: schema('Integer', 'integer'),
  Literal: (value: string | number | boolean, options?: Options) => ({
    ...options,
    [Kind]: 'Literal',
    const: value,
    type: typeof value,
  }),
  Null: schema('Null', 'null'),
  Number: schema('Number', 'number'),
  Object: object,
  Optional: optional,
  Partial: partial,
  /** Only for keys that are any strings. */
  Record: (_key: TSchema, values: TSchema, options?: Options) => ({
    ...schema('Record', 'object')(options),
    patternProperties: { '^(.*)$': values },
  }),
  String: schema('String', 'string'),
  Union: (types: TSchema[], options?: Options) =>
    types.length === 1 ? { ...options, ...types[0] } : { ...schema('Union')(options), anyOf: types },
  Unknown: schema('Unknown'),
  Unsafe: (options: Options = {}) => ({ [Kind]: 'Unsafe', ...options }),
} as unknown as Pick<typeof TypeBox, Builder>
