// Schemas of the routes as plain JSON Schema, and the names under which a document shares them.
import type { TSchema } from '@sinclair/typebox'
import type { Operation } from '../../src/http/operations.ts'
import { DesignPart } from '../../src/http/schema.ts'
import { StoredText } from '../../src/http/serialize.ts'
import { fromJson } from '../../src/json/parse.ts'
import { designComponents, partReference } from '../../src/mcp/design-parts.ts'

export type Json = { [keyword: string]: unknown }

/**
 * The schema as documents show it: without symbols and keywords of our own, and with a type for each stored blob. What a
 * route itself checks, `x-values`, is an `enum`.
 */
export function plain(schema: TSchema | object): Json {
  const show = (key: string, value: unknown) => {
    if (key.startsWith('x-')) return undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const blob: unknown = Reflect.get(value, StoredText)
    const { type, items, 'x-values': values } = value as Json
    if (typeof blob === 'string')
      return { ...value, type: [blob, 'null'], ...itemsOf(blob, items), ...partOf(value, blob, true) }
    return {
      ...value,
      ...(Array.isArray(values) && { enum: values }),
      ...itemsOf(type, items),
      ...partOf(value, type, false),
    }
  }
  return fromJson(JSON.stringify(schema, show)) as Json
}

/** Adds `items` to an array without one, which many tools require. */
const itemsOf = (type: unknown, items: unknown): Json =>
  [type].flat().includes('array') && items === undefined ? { items: {} } : {}

/** References the component of a part of a design: as the items of an array, or as the object itself. */
function partOf(schema: object, type: unknown, isNullable: boolean): Json {
  const part: unknown = Reflect.get(schema, DesignPart)
  if (typeof part !== 'string') return {}
  if (type === 'array') return { items: partReference(part) }
  return isNullable ? { anyOf: [partReference(part), { type: 'null' }] } : partReference(part)
}

/** The parts of designs to which schemas of a document lead. */
export function partsIn(document: unknown): Json {
  const parts: Json = {}
  const collect = (json: string) => {
    for (const [name, schema] of Object.entries(designComponents)) {
      if (Object.hasOwn(parts, name) || !json.includes(`"#/components/schemas/${name}"`)) continue
      parts[name] = schema
      collect(JSON.stringify(schema))
    }
  }
  collect(JSON.stringify(document))
  return parts
}

const pascal = (snakeCase: string) =>
  snakeCase.replace(/(?:^|_)(\w)/g, (_match, first: string) => first.toUpperCase())

/**
 * Names for the schemas of bodies and resources: `Product` is what `get_product` returns, `CreateProductBody` what
 * `create_product` takes. Equal schemas share one name.
 */
export function nameSchemas(operations: readonly Operation[]) {
  const named = new Map<string, { name: string; schema: Json }>()
  const add = (name: string, schema: TSchema | undefined) => {
    if (schema?.type !== 'object' || Object.keys(schema.properties ?? {}).length === 0) return
    const plainSchema = plain(schema)
    const key = JSON.stringify(plainSchema)
    if (!named.has(key)) named.set(key, { name, schema: plainSchema })
  }
  const dataOf = ({ response }: Operation): TSchema | undefined => response.properties?.data
  // Reads name the resources, whatever the order of the routes.
  for (const operation of operations)
    if (operation.id.startsWith('get_')) add(pascal(operation.id.slice(4)), dataOf(operation))
  for (const operation of operations) {
    const { id, body, response } = operation
    const data = dataOf(operation)
    add(pascal(id.startsWith('delete_') ? `deleted_${id.slice(7)}` : `${id}_result`), data)
    if (data?.type === 'array') add(pascal(`${id}_item`), data.items)
    add(pascal(`${id}_body`), body)
    add('Meta', response.properties?.meta)
  }
  unify(named)

  function refer(value: unknown, isRoot = false): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    if (Array.isArray(value)) return value.map((item) => refer(item))
    const component = isRoot ? undefined : named.get(JSON.stringify(value))
    if (component) return { $ref: `#/components/schemas/${component.name}` }
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, refer(item)]))
  }
  const components = [...named.values()].map(
    ({ name, schema }) => [name, refer(schema, true) as Json] as const,
  )
  return {
    components: Object.fromEntries(components.sort(([a], [b]) => (a < b ? -1 : 1))),
    refer: (schema: TSchema) => refer(plain(schema)) as Json,
  }
}

/** Two schemas that would have one name are numbered. */
function unify(named: Map<string, { name: string; schema: Json }>): void {
  const seen = new Map<string, number>()
  for (const entry of named.values()) {
    const count = (seen.get(entry.name) ?? 0) + 1
    seen.set(entry.name, count)
    if (count > 1) entry.name += count
  }
}
