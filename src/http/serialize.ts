// Serializes responses by their schemas. Stored blobs are JSON text already and are inserted without being parsed.
import type { TSchema } from '@sinclair/typebox'
import { JsonText } from '../json-text.ts'
import type { JsonPart } from '../large-json/bytes.ts'
import { largeFrom } from '../off-thread/off-thread.ts'
import { Kind, StoredText } from '../typebox.ts'

/** JSON in parts: a large blob is a part of its own, so that it is not copied into a larger string. */
class Output {
  readonly #parts: JsonPart[] = []
  #last = ''

  add(part: JsonPart): void {
    if (typeof part !== 'string' || part.length >= largeFrom) {
      this.#parts.push(this.#last, part)
      this.#last = ''
      return
    }
    this.#last += part
    if (this.#last.length < largeFrom) return
    this.#parts.push(this.#last)
    this.#last = ''
  }

  get parts(): JsonPart[] {
    return [...this.#parts, this.#last]
  }
}

type Writer = (value: unknown, output: Output) => void

/** A serializer for values of this schema, whose parts make up the JSON. Omits unknown and missing properties. */
export function writerOf(schema: TSchema): (value: unknown) => JsonPart[] {
  const write = partsWriter(schema)
  return (value) => {
    const output = new Output()
    write(value, output)
    return output.parts
  }
}

function partsWriter(schema: TSchema): Writer {
  if (Reflect.has(schema, StoredText)) return blobWriter
  if (schema[Kind] === 'Object' && !schema.additionalProperties) return objectWriter(schema.properties)
  if (schema[Kind] === 'Array') return arrayWriter(schema.items)
  return (value, output) => output.add(JSON.stringify(value ?? null))
}

/** JSON text, or its parts, which are not joined into one more string. */
function blobWriter(value: unknown, output: Output): void {
  if (Array.isArray(value)) for (const part of value) output.add(part)
  else output.add(typeof value === 'string' || value instanceof JsonText ? value : 'null')
}

function objectWriter(properties: Record<string, TSchema>): Writer {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    label: `${JSON.stringify(name)}:`,
    write: partsWriter(schema),
  }))
  return (value, output) => {
    if (typeof value !== 'object' || value === null) {
      output.add('null')
      return
    }
    const record = value as Record<string, unknown>
    let before = '{'
    for (const { name, label, write } of fields) {
      const property = record[name]
      if (property === undefined) continue
      output.add(before + label)
      write(property, output)
      before = ','
    }
    output.add(before === '{' ? '{}' : '}')
  }
}

function arrayWriter(items: TSchema): Writer {
  const write = partsWriter(items)
  return (value, output) => {
    if (!Array.isArray(value)) {
      output.add('null')
      return
    }
    output.add('[')
    value.forEach((item, at) => {
      if (at > 0) output.add(',')
      write(item, output)
    })
    output.add(']')
  }
}
