// Serializes responses by their schemas. Stored JSON is text already, and is inserted without being parsed.
import { Kind, type TSchema } from '@sinclair/typebox'

/**
 * The key that marks, in schemas of responses, a value that is JSON text. A symbol, because plugins of hosts compile these schemas and
 * refuse keywords that they do not know.
 */
export const StoredText: unique symbol = Symbol('svc-api stored text')

type Writer = (value: unknown) => string

/** A function that writes values of this schema as JSON. It omits properties that the schema does not have, or that are undefined. */
export function writerOf(schema: TSchema): Writer {
  if (Reflect.has(schema, StoredText)) return (json) => (typeof json === 'string' ? json : 'null')
  if (schema[Kind] === 'Object' && !schema.additionalProperties) return objectWriter(schema.properties)
  if (schema[Kind] === 'Array') return arrayWriter(schema.items)
  return plain
}

function objectWriter(properties: Record<string, TSchema>): Writer {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    label: `${JSON.stringify(name)}:`,
    write: writerOf(schema),
  }))
  return (value) => {
    if (typeof value !== 'object' || value === null) return 'null'
    const record = value as Record<string, unknown>
    let text = '{'
    for (const { name, label, write } of fields) {
      const property = record[name]
      if (property === undefined) continue
      if (text.length > 1) text += ','
      text += label + write(property)
    }
    return `${text}}`
  }
}

const plain: Writer = (value) => JSON.stringify(value ?? null)

function arrayWriter(items: TSchema): Writer {
  const write = writerOf(items)
  // One call for a list of plain values, such as ids.
  if (write === plain) return (value) => (Array.isArray(value) ? JSON.stringify(value) : 'null')
  return (value) => (Array.isArray(value) ? `[${value.map(write).join(',')}]` : 'null')
}
