// Schemas of the routes as plain JSON Schema, and their names as components of the document.
import type { TSchema } from '@sinclair/typebox'
import { membersOf } from '../../src/core/foreign.ts'
import type { Operation } from '../../src/http/operations.ts'
import { DesignPart } from '../../src/http/schema.ts'
import { StoredText } from '../../src/http/serialize.ts'
import { fromJson } from '../../src/json/parse.ts'
import { designComponents, partReference } from '../../src/mcp/design-parts.ts'

/** A JSON object: a schema, or a part of a document. */
export type Json = { [keyword: string]: unknown }

/**
 * The schema as documents show it: without symbols and keywords of this project. Stored JSON gets the type that its symbol names, and
 * `x-values`, which a route checks itself, becomes `enum`.
 */
export function plain(schema: TSchema | object): Json {
  // JSON.stringify calls it for each value within the schema.
  const replacer = (key: string, value: unknown) => {
    if (key.startsWith('x-')) return undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const storedType: unknown = membersOf(value)[StoredText]
    const { type, items, 'x-values': values } = value as Json
    if (typeof storedType === 'string')
      return {
        ...value,
        type: [storedType, 'null'],
        ...itemsOf(storedType, items),
        ...designPartOf(value, storedType, { isNullable: true }),
      }
    return {
      ...value,
      ...(Array.isArray(values) && { enum: values }),
      ...itemsOf(type, items),
      ...designPartOf(value, type, { isNullable: false }),
    }
  }
  return fromJson(JSON.stringify(schema, replacer)) as Json
}

/** Adds `items` to an array without one, which many tools require. */
const itemsOf = (type: unknown, items: unknown): Json =>
  [type].flat().includes('array') && items === undefined ? { items: {} } : {}

/** A reference to the component of a part of the design format: as the items of an array, or as the object itself. */
function designPartOf(schema: object, type: unknown, { isNullable }: { isNullable: boolean }): Json {
  const part: unknown = membersOf(schema)[DesignPart]
  if (typeof part !== 'string') return {}
  if (type === 'array') return { items: partReference(part) }
  return isNullable ? { anyOf: [partReference(part), { type: 'null' }] } : partReference(part)
}

/** The components of the design format that a document refers to, directly or through other components. */
export function partsIn(document: unknown): Record<string, Json> {
  const parts: Record<string, Json> = {}
  const collect = (json: string) => {
    for (const [name, schema] of Object.entries(designComponents)) {
      if (Object.hasOwn(parts, name) || !json.includes(`"#/components/schemas/${name}"`)) continue
      parts[name] = { ...schema }
      collect(JSON.stringify(schema))
    }
  }
  collect(JSON.stringify(document))
  return parts
}

const pascal = (snakeCase: string) =>
  snakeCase.replace(/(?:^|_)(\w)/g, (_match, first: string) => first.toUpperCase())

/**
 * Names the schemas of bodies and resources: `Product` is the data of `get_product`, `CreateProductBody` the body of
 * `create_product`. Equal schemas share one name.
 * @returns the components by name, and a function that returns a schema with references to them
 */
export function nameSchemas(operations: readonly Operation[]) {
  /** By the JSON of the schema. */
  const named = new Map<string, { name: string; schema: Json }>()
  const add = (name: string, schema: TSchema | undefined) => {
    if (schema?.type !== 'object' || Object.keys(schema.properties ?? {}).length === 0) return
    const plainSchema = plain(schema)
    const key = JSON.stringify(plainSchema)
    if (!named.has(key)) named.set(key, { name, schema: plainSchema })
  }
  const dataOf = ({ response }: Operation): TSchema | undefined => response.properties?.data
  // First, so that resources get their names from the operations that read them.
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
  numberDuplicates(named)

  /** The schema, with references in place of the named schemas within it, and of itself. */
  function refer(schema: Json): Json {
    const component = named.get(JSON.stringify(schema))
    return component ? { $ref: `#/components/schemas/${component.name}` } : withReferences(schema)
  }
  function withReferences(schema: Json): Json {
    const isObject = (value: unknown): value is Json =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
    return Object.fromEntries(
      Object.entries(schema).map(([key, value]) => [key, isObject(value) ? refer(value) : value]),
    )
  }
  const components = [...named.values()].map(({ name, schema }) => [name, withReferences(schema)] as const)
  return {
    components: Object.fromEntries(components.sort(([a], [b]) => (a < b ? -1 : 1))),
    refer: (schema: TSchema) => refer(plain(schema)),
  }
}

/** Adds numbers to names that several schemas would have. */
function numberDuplicates(named: Map<string, { name: string; schema: Json }>): void {
  const counts = new Map<string, number>()
  for (const entry of named.values()) {
    const count = (counts.get(entry.name) ?? 0) + 1
    counts.set(entry.name, count)
    if (count > 1) entry.name += count
  }
}
