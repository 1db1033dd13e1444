// Parses JSON bodies exactly, with limited depth, and refuses what could not be stored as it was sent.
import { isUtf8 } from 'node:buffer'
import type { TSchema } from '@sinclair/typebox'
import { invalidParams, SvcError } from '../errors.ts'
import { extentOf, JsonText, type JsonTextParts, parseExact, parseToWrite } from '../json.ts'
import { largeFrom, offThread } from '../off-thread/off-thread.ts'
import type { BodyProblems } from './body-problems.ts'
import { validators } from './validate.ts'

const maxDepth = 512
/** Maximum number of values in one body, so that its memory stays in proportion to its bytes. */
const maxValues = 2_500_000

function refuse(reason: string): never {
  throw new SvcError('rest_invalid_json', { message: `The body is not valid JSON: ${reason}.` })
}

/** The parsed value; undefined for an empty body. */
export function parseJson(bytes: Uint8Array): unknown {
  const text = textOf(bytes)
  return text === undefined ? undefined : checked(text, (text) => ({ value: parseExact(text) })).value
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) refuse('it is not UTF-8')
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  if (text.trim() === '') return undefined
  // Without the byte order mark.
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

function checked<P extends { value: unknown }>(text: string, parse: (text: string) => P): P {
  let parsed: P
  try {
    parsed = parse(text)
  } catch {
    refuse('it cannot be parsed')
  }
  // Fastify would treat null as a missing body.
  if (parsed.value === null) throw invalidParams({ body: 'must be a JSON object' })
  assertKeepable(parsed.value, 1)
  return parsed
}

function assertKeepable(value: unknown, depth: number): void {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) refuse('it contains a number out of range')
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth > maxDepth) refuse(`it is nested deeper than ${maxDepth}`)
  if (Array.isArray(value)) {
    for (const item of value) assertKeepable(item, depth + 1)
    return
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__') refuse('it contains a property named __proto__')
    assertKeepable((value as Record<string, unknown>)[key], depth + 1)
  }
}

/** A property of a large body: its JSON text, or the parts of one that stays text, and what is wrong with it. */
export type LargeProperty = [name: string, json: string | JsonTextParts, problem: string | undefined]

/**
 * Reads a body. A large one is parsed and checked on the other thread, and its blobs stay JSON text.
 * @param schema of the route's body
 * @returns the value, and what is wrong with the properties that stay text
 */
export async function readJson(
  bytes: Uint8Array,
  schema: TSchema | undefined,
): Promise<{ value: unknown; problems: BodyProblems }> {
  if (bytes.length < largeFrom) return { value: parseJson(bytes), problems: {} }
  const plainSchema: unknown = JSON.parse(JSON.stringify(schema ?? {}))
  const read = await offThread<LargeProperty[] | string>(import.meta.url, 'readLarge', bytes, plainSchema)
  if (typeof read === 'string') return { value: parseExact(read), problems: {} }
  const problems: Record<string, string> = {}
  const entries = read.map(([name, json, problem]) => {
    if (typeof json === 'string') return [name, parseExact(json)]
    if (problem !== undefined) problems[name] = problem
    return [name, new JsonText(json)]
  })
  return { value: Object.fromEntries(entries), problems }
}

/** More than any route declares or any settings screen has. */
const maxProperties = 1000

/** Values from this length on stay text. Shorter ones are cheaper to parse than to handle as text. */
const keptFrom = 64 * 1024

/**
 * Runs on the other thread.
 * @returns the properties of the body, or its JSON text if it is not an object
 */
export function readLarge(bytes: Uint8Array, schema: TSchema): LargeProperty[] | string {
  const text = textOf(bytes) ?? refuse('it cannot be parsed')
  // Frees the bytes now, although the caller still references them.
  if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0)
  const { depth, values } = extentOf(text)
  if (depth > maxDepth) refuse(`it is nested deeper than ${maxDepth}`)
  if (values > maxValues) {
    throw new SvcError('svc_body_too_large', {
      message: `The body holds more than ${maxValues.toLocaleString('en')} values.`,
    })
  }
  const { value, write } = checked(text, parseToWrite)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return '[]'
  if (Object.keys(value).length > maxProperties)
    throw invalidParams({ body: `must have at most ${maxProperties} properties` })
  const { properties } = validators()
  const checks = new Map(properties(schema).map(({ name, problem }) => [name, problem]))
  return Object.entries(value).map(([name, property]) => {
    const json = write(property)
    const declared = schema.properties?.[name] as TSchema | undefined
    // Rules for items must see long numbers as numbers.
    const problem = checks.get(name)?.(declared?.items ? parseExact(json) : property)
    // A valid value that is not a blob is cheap to parse on the main thread.
    const isOpaque = schema['x-blob'] || declared?.['x-blob'] || declared?.readOnly || problem !== undefined
    const isKept = isOpaque && json.length >= keptFrom
    return [name, isKept ? JsonText.parts(json) : json, problem]
  })
}
