// Writes answers as their schemas say. Stored blobs go in as the JSON text they already are, without being parsed.
import { Kind, type TSchema } from '@sinclair/typebox'

type Writer = (value: unknown) => string

/** A writer for values of this schema. Members that the schema does not know are left out, absent ones too. */
export function writerOf(schema: TSchema): Writer {
  if (schema['x-blob']) return (value) => (typeof value === 'string' ? value : 'null')
  if (schema[Kind] === 'Object' && !schema.additionalProperties) return objectWriter(schema.properties)
  if (schema[Kind] === 'Array') return arrayWriter(schema.items)
  return (value) => JSON.stringify(value ?? null)
}

function objectWriter(properties: Record<string, TSchema>): Writer {
  const members = Object.entries(properties).map(([name, schema]) => ({
    name,
    label: `${JSON.stringify(name)}:`,
    write: writerOf(schema),
  }))
  return (value) => {
    if (typeof value !== 'object' || value === null) return 'null'
    const record = value as Record<string, unknown>
    let text = '{'
    for (const { name, label, write } of members) {
      const member = record[name]
      if (member === undefined) continue
      text += (text.length > 1 ? ',' : '') + label + write(member)
    }
    return `${text}}`
  }
}

function arrayWriter(items: TSchema): Writer {
  const write = writerOf(items)
  return (value) => (Array.isArray(value) ? `[${value.map(write).join(',')}]` : 'null')
}
