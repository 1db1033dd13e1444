// The properties of a JSON schema as rows of a table, those of nested objects under their path.
import { code, prose, table } from './markdown.ts'

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
  default?: unknown
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  readOnly?: boolean
}

const last = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

/** What a reader calls the type. Named schemas become links within the page. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return `[${last(schema.$ref)}](#${last(schema.$ref).toLowerCase()})`
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ')
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  const types = [schema.type ?? 'any JSON value'].flat()
  return types.map((type) => (type === 'array' ? arrayOf(schema) : nameOf(type, schema))).join(' or ')
}

function arrayOf({ items }: Schema): string {
  return items && Object.keys(items).length > 0 ? `array of ${typeOf(items)}` : 'array'
}

const nameOf = (type: string, { format }: Schema) => (format === undefined ? type : `${type} (${format})`)

/** Limits that a client must keep, in words. */
function limitsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: standard } = schema
  const limits: string[] = []
  if (minimum !== undefined) limits.push(`at least ${minimum}`)
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) limits.push(`at most ${maximum}`)
  if (minLength !== undefined) limits.push(`at least ${minLength} characters`)
  if (maxLength !== undefined) limits.push(`at most ${maxLength} characters`)
  if (minItems !== undefined) limits.push(`at least ${minItems} items`)
  if (maxItems !== undefined) limits.push(`at most ${maxItems} items`)
  if (standard !== undefined) limits.push(`default ${code(JSON.stringify(standard))}`)
  return limits
}

export const typeAndLimits = (schema: Schema) => [typeOf(schema), ...limitsOf(schema)].join(', ')

const sentence = (text = '') => prose(text).replace(/([^.!?:;])$/, '$1.')

function rowsOf({ properties = {}, required = [] }: Schema, path = ''): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const own = [
      code(path + name),
      typeAndLimits(schema),
      required.includes(name) ? 'yes' : '',
      sentence(schema.description),
    ]
    const nested = schema.properties ? schema : (schema.items ?? {})
    const below = schema.properties ? `${path}${name}.` : `${path}${name}[].`
    return [own, ...rowsOf(nested, below)]
  })
}

/** @param always the word above the column that tells which properties are always there */
export function schemaTable(schema: Schema, always: string): string {
  const rows = rowsOf(schema)
  return rows.length === 0 ? '' : table(['Property', 'Type', always, 'Meaning'], rows)
}
