// Schemas of the document as an agent gets them: small, and in the dialect that most clients read.
import { isPart } from './design-parts.ts'
import { type ApiDocument, resolved, type Schema } from './document.ts'

/** Keywords that cost tokens without informing an agent. */
const dull = new Set('minimum maximum minLength maxLength minItems maxItems pattern readOnly'.split(' '))
/** Descriptions that repeat the name. */
const plain =
  /^(Id of the row|Items per page|Maximum number of items|Adds the |URL of the thumbnail|1 to 255 |(Options|Elements) of the )/

/**
 * The schema of an argument for an agent: without references and limits, with the first clause of each description, and
 * with `anyOf` in place of a list of types, which not every client reads.
 */
export function compact(document: ApiDocument, schema: Schema): Schema {
  const { description, ...rest } = withoutPart(schema) ?? resolved(document, schema) ?? {}
  const compacted: Schema = {}
  for (const [key, value] of Object.entries(rest)) {
    if (dull.has(key) || isEmptyPart(key, value)) continue
    // A default name informs an agent; a default number, such as the items on a page, does not.
    if (key === 'default' && (typeof value !== 'string' || value === '')) continue
    const compactValue = nested(document, key, value)
    // Branches that differed in their limits alone.
    if (key === 'anyOf' && (compactValue as Schema[]).some(isEmpty)) continue
    compacted[key] = compactValue
  }
  if (description !== undefined && !plain.test(description)) compacted.description = firstClause(description)
  return withSingleTypes(compacted)
}

/** A design without its properties, which the resource of the design's schema explains once for all tools. */
function withoutPart(schema: Schema): Schema | undefined {
  if (!isPart(schema)) return undefined
  const { $ref: _part, ...rest } = schema
  return rest
}

/** Whether an agent can do without the keyword: it is empty, or describes parts of designs. */
const isEmptyPart = (key: string, value: unknown) =>
  key === 'additionalProperties' ||
  (key === 'items' && isPart(Object(value))) ||
  ((key === 'items' || key === 'properties') && isEmpty(value))

const isEmpty = (value: unknown) => Object.keys(Object(value)).length === 0

/** Keywords that belong to one type. */
const keywordsOf: Record<string, readonly string[]> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items'],
}
const ofOneType = new Set(Object.values(keywordsOf).flat())

function withSingleTypes({ type, ...rest }: Schema): Schema {
  if (!Array.isArray(type)) return type === undefined ? rest : { type, ...rest }
  const only = (isKept: (key: string) => boolean | undefined) =>
    Object.fromEntries(Object.entries(rest).filter(([key]) => isKept(key)))
  const branches = type.map((single) => ({
    type: single,
    ...only((key) => keywordsOf[single]?.includes(key)),
  }))
  return { anyOf: branches, ...only((key) => !ofOneType.has(key)) }
}

function nested(document: ApiDocument, key: string, value: unknown): unknown {
  if (key === 'items') return compact(document, value as Schema)
  if (key === 'anyOf') return (value as Schema[]).map((branch) => compact(document, branch))
  if (key !== 'properties') return value
  const properties = Object.entries(value as Record<string, Schema>)
  return Object.fromEntries(properties.map(([name, property]) => [name, compact(document, property)]))
}

/**
 * Types of the properties of a result, or of its items. What is absent, null or was cut makes none invalid.
 * @param isWhole whether values of the designer are among them, which a write returns as they were sent
 */
export function outline(document: ApiDocument, schema: Schema, isWhole: boolean): Schema {
  const { type, items, properties } = resolved(document, schema) ?? {}
  if (type === 'array') return { type, ...(items && { items: outline(document, items, isWhole) }) }
  if (!properties) return typeof type === 'string' ? { type } : {}
  const types = Object.entries(properties).flatMap(([name, property]): [string, Schema][] => {
    const { type: propertyType } = resolved(document, property) ?? {}
    return isStated(propertyType, isWhole) ? [[name, withSingleTypes({ type: propertyType })]] : []
  })
  return { type: 'object', properties: Object.fromEntries(types) }
}

/** One type, or that of a value of the designer, which is null where it cannot be read. */
const isStated = (type: Schema['type'], isWhole: boolean): type is string | string[] =>
  typeof type === 'string' ||
  (isWhole && Array.isArray(type) && (type.includes('object') || type.includes('array')))

const firstClause = (text: string) => text.replace(/[.;]\s[\s\S]*$/, '').replace(/\.$/, '')
