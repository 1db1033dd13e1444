// Shortens schemas of the OpenAPI document for agents, and writes them in the dialect of JSON Schema that most MCP clients read.
import { membersOf } from '../core/foreign.ts'
import { isPart } from './design-parts.ts'
import { type ApiDocument, resolved, type Schema } from './document.ts'

/** Keywords that cost tokens without informing an agent. */
const omittedKeywords = new Set(
  'minimum maximum minLength maxLength minItems maxItems pattern readOnly'.split(' '),
)
/** Descriptions that only repeat the name of a property. */
const omittedDescriptions =
  /^(Id of the row|Items per page|Maximum number of items|Adds the |URL of the thumbnail|1 to 255 |(Options|Elements) of the )/

/**
 * The schema of an argument for an agent: without references and limits, with the first clause of each description, and with `anyOf`
 * in place of a list of types, which some clients do not read.
 */
export function compact(document: ApiDocument, schema: Schema): Schema {
  const { description, ...keywords } = withoutDesignPart(schema) ?? resolved(document, schema) ?? {}
  const compacted: Schema = {}
  for (const [key, value] of Object.entries(keywords)) {
    if (omittedKeywords.has(key) || isUninformative(key, value)) continue
    // A default name informs an agent; a default number, such as the items on a page, does not.
    if (key === 'default' && (typeof value !== 'string' || value === '')) continue
    const compactValue = nested(document, key, value)
    // Without limits, a branch accepts everything, and so does the list.
    if (key === 'anyOf' && (compactValue as Schema[]).some(isEmpty)) continue
    compacted[key] = compactValue
  }
  if (description !== undefined && !omittedDescriptions.test(description))
    compacted.description = firstClause(description)
  return withSingleTypes(compacted)
}

/** Replaces a reference to a part of the design format by a plain object, since an MCP resource describes all parts. Undefined for other schemas. */
function withoutDesignPart(schema: Schema): Schema | undefined {
  if (!isPart(schema)) return undefined
  const { $ref: _reference, ...keywords } = schema
  return keywords
}

/** Whether a keyword tells an agent nothing: it is empty, or refers to a part of the design format. */
const isUninformative = (key: string, value: unknown) =>
  key === 'additionalProperties' ||
  (key === 'items' && isPart(membersOf(value))) ||
  ((key === 'items' || key === 'properties') && isEmpty(value))

const isEmpty = (value: unknown) => Object.keys(membersOf(value)).length === 0

/** Keywords that apply to one type only. */
const keywordsOfType: Record<string, readonly string[]> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items'],
}
const keywordsOfTypes = new Set(Object.values(keywordsOfType).flat())

/** The schema with a branch of `anyOf` for each type, if it has several. */
function withSingleTypes({ type, ...keywords }: Schema): Schema {
  if (!Array.isArray(type)) return type === undefined ? keywords : { type, ...keywords }
  const select = (isSelected: (key: string) => boolean | undefined) =>
    Object.fromEntries(Object.entries(keywords).filter(([key]) => isSelected(key)))
  const branches = type.map((single) => ({
    type: single,
    ...select((key) => keywordsOfType[single]?.includes(key)),
  }))
  return { anyOf: branches, ...select((key) => !keywordsOfTypes.has(key)) }
}

/** The value of a keyword, with the schemas in it compacted. */
function nested(document: ApiDocument, key: string, value: unknown): unknown {
  if (key === 'items') return compact(document, value as Schema)
  if (key === 'anyOf') return (value as Schema[]).map((branch) => compact(document, branch))
  if (key !== 'properties') return value
  const properties = Object.entries(value as Record<string, Schema>)
  return Object.fromEntries(properties.map(([name, property]) => [name, compact(document, property)]))
}

/** What an outline contains. */
interface OutlineForm {
  /** Whether it has the JSON values of the designer. A write returns them as they were sent, so an agent knows them. */
  hasDesignerValues: boolean
}

/**
 * The schema of a result, one level deep: the types of its properties, or of the properties of its items. It requires nothing, so
 * results that were cut are valid, too.
 */
export function outline(document: ApiDocument, schema: Schema, form: OutlineForm): Schema {
  const { type, items, properties } = resolved(document, schema) ?? {}
  if (type === 'array') return { type, ...(items && { items: outline(document, items, form) }) }
  if (!properties) return typeof type === 'string' ? { type } : {}
  const types = Object.entries(properties).flatMap(([name, property]): [string, Schema][] => {
    const { type: propertyType } = resolved(document, property) ?? {}
    return isOutlined(propertyType, form) ? [[name, withSingleTypes({ type: propertyType })]] : []
  })
  return { type: 'object', properties: Object.fromEntries(types) }
}

/** Whether the outline has a property of this type: a single type, or a JSON value of the designer, which may be null. */
const isOutlined = (type: Schema['type'], { hasDesignerValues }: OutlineForm): type is string | string[] =>
  typeof type === 'string' ||
  (hasDesignerValues && Array.isArray(type) && (type.includes('object') || type.includes('array')))

const firstClause = (text: string) => text.replace(/[.;]\s[\s\S]*$/, '').replace(/\.$/, '')
