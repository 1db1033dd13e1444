// Parses JSON bodies: exact, bounded in depth, and without properties or numbers that could not be stored as they were sent.
import { isUtf8 } from 'node:buffer'
import type { TSchema } from '@sinclair/typebox'
import { invalidParams, SvcError } from '../errors.ts'
import { extentOf, JsonText, type JsonTextParts, parseExact, parseToWrite } from '../json.ts'
import { largeFrom, offThread } from '../off-thread/off-thread.ts'
import type { BodyProblems } from './body-problems.ts'
import { validators } from './validate.ts'

const deepest = 512
/** Arrays, objects, strings and other values of one body; what they take in memory stays in proportion to its bytes. */
const mostValues = 2_500_000

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
  // A byte order mark is no part of the text.
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

function checked<P extends { value: unknown }>(text: string, parse: (text: string) => P): P {
  let parsed: P
  try {
    parsed = parse(text)
  } catch {
    refuse('it cannot be parsed')
  }
  // Fastify's validation would take null for no body.
  if (parsed.value === null) throw invalidParams({ body: 'must be a JSON object' })
  assertKeepable(parsed.value, 1)
  return parsed
}

function assertKeepable(value: unknown, depth: number): void {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) refuse('it holds a number out of range')
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth > deepest) refuse(`it is nested deeper than ${deepest}`)
  if (Array.isArray(value)) {
    for (const item of value) assertKeepable(item, depth + 1)
    return
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__') refuse('it holds a property named __proto__')
    assertKeepable((value as Record<string, unknown>)[key], depth + 1)
  }
}

/** A property of a large body: its JSON text, which stays one where it is kept, and what is wrong with it. */
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

/** More than any route declares, and than any settings screen has. */
const mostProperties = 1000

/** Values from this length on stay texts; shorter ones cost less than their messages between the threads. */
const keptFrom = 64 * 1024

/**
 * Runs on the other thread.
 * @returns the properties of the body, or its JSON text where it is no object
 */
export function readLarge(bytes: Uint8Array, schema: TSchema): LargeProperty[] | string {
  const text = textOf(bytes) ?? refuse('it cannot be parsed')
  // The bytes are done with; whoever called still holds them.
  if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0)
  const { depth, values } = extentOf(text)
  if (depth > deepest) refuse(`it is nested deeper than ${deepest}`)
  if (values > mostValues) {
    throw new SvcError('svc_body_too_large', {
      message: `The body holds more than ${mostValues.toLocaleString('en')} values.`,
    })
  }
  const { value, write } = checked(text, parseToWrite)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return '[]'
  if (Object.keys(value).length > mostProperties)
    throw invalidParams({ body: `must have at most ${mostProperties} properties` })
  const { properties } = validators()
  const checks = new Map(properties(schema).map(({ name, problem }) => [name, problem]))
  return Object.entries(value).map(([name, member]) => {
    const json = write(member)
    const declared = schema.properties?.[name] as TSchema | undefined
    // Rules of items must see their long numbers as numbers.
    const problem = checks.get(name)?.(declared?.items ? parseExact(json) : member)
    // What is no blob and valid is small enough for the main thread, whatever its length.
    const isOpaque = schema['x-blob'] || declared?.['x-blob'] || declared?.readOnly || problem !== undefined
    const isKept = isOpaque && json.length >= keptFrom
    return [name, isKept ? JsonText.parts(json) : json, problem]
  })
}
