// Parses JSON bodies exactly, with limited depth, and refuses what could not be stored as it was sent.
import { isUtf8 } from 'node:buffer'
import type { TSchema } from '@sinclair/typebox'
import { invalidParams, SvcError } from '../errors.ts'
import { parseExact, parseToWrite } from '../json.ts'
import { extentOf, JsonText, type JsonTextParts } from '../json-text.ts'
import { largeFrom, offThread } from '../off-thread/off-thread.ts'
import type { BodyProblems } from './body-problems.ts'
import { propertiesOf, rewritten } from './sliced-json.ts'
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
  if (text === undefined) return undefined
  const value = parsing(() => parseExact(text))
  // Fastify's validation would take null for no body.
  if (value === null) throw invalidParams({ body: 'must be a JSON object' })
  assertKeepable(value, 1)
  return value
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) refuse('it is not UTF-8')
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  if (text.trim() === '') return undefined
  // Without the byte order mark.
  return text.startsWith('\ufeff') ? text.slice(1) : text
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

/** A property of a large body: its JSON text, or its parts, and what is wrong with it. */
export type LargeProperty = [name: string, json: string | JsonTextParts, problem: string | undefined]

/** The value of a body, and what is wrong with the properties that stay text. */
export interface ReadBody {
  value: unknown
  problems: BodyProblems
}

/**
 * Reads a body. A large one is parsed and checked on the other thread, and its blobs stay JSON text.
 * @param schema of the route's body
 */
export const readJson = (bytes: Uint8Array, schema: TSchema | undefined): ReadBody | Promise<ReadBody> =>
  bytes.length < largeFrom ? { value: parseJson(bytes), problems: {} } : readElsewhere(bytes, schema)

async function readElsewhere(bytes: Uint8Array, schema: TSchema | undefined): Promise<ReadBody> {
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

/** More than any route declares or the settings screen has. */
const maxProperties = 1000

/** Values from this length on stay text. Shorter ones are cheaper to parse than to handle as text. */
const keptFrom = 64 * 1024

/**
 * Runs on the other thread.
 * @returns the properties of the body, or its JSON text if it is not an object
 */
export function readLarge(bytes: Uint8Array, schema: TSchema): LargeProperty[] | string {
  const properties = largeProperties(bytes)
  if (!properties) return '[]'
  if (properties.length > maxProperties)
    throw invalidParams({ body: `must have at most ${maxProperties} properties` })
  const checks = new Map(
    validators()
      .properties(schema)
      .map(({ name, problem }) => [name, problem]),
  )
  return properties.map(([name, text]) => {
    const declared = schema.properties?.[name] as TSchema | undefined
    const check = checks.get(name) ?? (() => undefined)
    const isOpaque = schema['x-blob'] || !declared || declared['x-blob'] || declared.readOnly
    const isBlob = !declared || declared['x-blob']
    const { json, problem } = isBlob ? readBlob(text, check) : readDeclared(text, declared, check)
    // Valid non-blob values are small enough for the main thread.
    const isKept = (isOpaque || problem !== undefined) && typeof json === 'string' && json.length >= keptFrom
    return [name, isKept ? JsonText.parts(json) : json, problem]
  })
}

/** The names and texts of the body's properties; undefined if it is a list or a single value. */
function largeProperties(bytes: Uint8Array): [name: string, text: string][] | undefined {
  const text = textOf(bytes) ?? refuse('it cannot be parsed')
  // Frees the bytes now, although the caller still references them.
  if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0)
  const { depth, values } = extentOf(text)
  if (depth > maxDepth) refuse(`it is nested deeper than ${maxDepth}`)
  if (values > maxValues) {
    throw new SvcError('svc_body_too_large', {
      message: `The body contains more than ${maxValues.toLocaleString('en')} values.`,
    })
  }
  const properties = parsing(() => propertiesOf(text))
  if (properties?.some(([name]) => name === '__proto__')) refuse('it holds a property named __proto__')
  if (!properties) {
    parsing(() => keepable(text))
    // Fastify would treat null as a missing body.
    if (text.trim() === 'null') throw invalidParams({ body: 'must be a JSON object' })
  }
  return properties
}

type Check = (value: unknown) => string | undefined

function readBlob(text: string, check: Check) {
  const { pieces, items, isWellFormed } = parsing(() => keepable(text))
  const half = isWellFormed ? [] : ['\ud800']
  // A blob's schema asks for a kind of value, and for whole characters in it.
  const json = pieces.length === 1 ? String(pieces[0]) : JsonText.partsOf(pieces, items)
  const [kind = ''] = text.trimStart()
  const sample = kind === '[' ? half : kind === '{' ? { ...half } : JSON.parse(String(json))
  return { json, problem: check(sample) }
}

function readDeclared(text: string, declared: TSchema, check: Check) {
  const { value, write } = parsing(() => parseToWrite(text))
  assertKeepable(value, 1)
  const json = write(value)
  // Rules of items must see their long numbers as numbers.
  return { json, problem: check(declared.items ? parseExact(json) : value) }
}

const keepable = (text: string) => rewritten(text, (value) => assertKeepable(value, 1))

function parsing<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof SyntaxError) refuse('it cannot be parsed')
    throw error
  }
}
