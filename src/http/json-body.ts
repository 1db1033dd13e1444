// Parses JSON bodies exactly, with limited depth, and refuses what could not be stored as it was sent.
import { isUtf8 } from 'node:buffer'
import type { TSchema } from '@sinclair/typebox'
import { invalidParams, SvcError } from '../errors.ts'
import { parseExact, parseToWrite } from '../json/exact.ts'
import { fromJson } from '../json/parse.ts'
import { JsonText, type JsonTextParts } from '../json-text.ts'
import { encoded, partsOf } from '../large-json/bytes.ts'
import { type Rewritten, rewritten } from '../large-json/rewrite.ts'
import { afterBlanks, extentOf, propertiesOf, textOf } from '../large-json/scan.ts'
import { TooLong } from '../large-json/sink.ts'
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
  const json = contentOf(bytes)
  if (!json) return undefined
  const value = parsing(() => parseExact(textOf(json)))
  // Fastify's validation would take null for no body.
  if (value === null) throw invalidParams({ body: 'must be a JSON object' })
  assertKeepable(value, 1)
  return value
}

/** The bytes without the byte order mark; undefined if there are none but whitespace. */
function contentOf(bytes: Uint8Array): Uint8Array | undefined {
  if (!isUtf8(bytes)) refuse('it is not UTF-8')
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const json = hasMark ? bytes.subarray(3) : bytes
  return afterBlanks(json, 0) < json.length ? json : undefined
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

/** A property of a large body: its JSON text, or what makes a JsonText, and what is wrong with it. */
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
  const plainSchema: unknown = fromJson(JSON.stringify(schema ?? {}))
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
  const read = properties.map(([name, json]): LargeProperty => {
    const declared = schema.properties?.[name] as TSchema | undefined
    const check = checks.get(name) ?? (() => undefined)
    const isBlob = !declared || declared['x-blob']
    // A route that takes any property looks at their values, unless all of them together are its blob.
    const isLookedAt = !declared && schema.additionalProperties === true
    const isOpaque = schema['x-blob'] || (!isLookedAt && (isBlob || declared.readOnly))
    const [text, problem] =
      isBlob || isOnlyCompared(json, declared, check)
        ? readBlob(json, check)
        : readDeclared(json, declared, check)
    // Valid values that are not kept are small enough for the main thread.
    const isKept = (isOpaque || problem !== undefined) && text.length >= keptFrom
    return [name, isKept ? partsOf(text) : textOf(text), problem]
  })
  release(bytes)
  return read
}

/** Frees the memory now, although the caller still references it. */
function release({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** The names and texts of the body's properties; undefined if it is a list or a single value. */
function largeProperties(bytes: Uint8Array): [name: string, json: Uint8Array][] | undefined {
  const json = contentOf(bytes) ?? refuse('it cannot be parsed')
  const { depth, values } = extentOf(json)
  if (depth > maxDepth) refuse(`it is nested deeper than ${maxDepth}`)
  if (values > maxValues) {
    throw new SvcError('svc_body_too_large', {
      message: `The body contains more than ${maxValues.toLocaleString('en')} values.`,
    })
  }
  const properties = parsing(() => propertiesOf(json))
  if (properties?.some(([name]) => name === '__proto__')) refuse('it holds a property named __proto__')
  if (!properties) {
    const { json: text } = parsing(() => rewritten(json, keepable))
    // Fastify would treat null as a missing body.
    if (text.length === 4 && textOf(text) === 'null') throw invalidParams({ body: 'must be a JSON object' })
  }
  return properties
}

/** Written out, `1e20` is five times as long. */
const maxGrowth = 1.25

type Check = (value: unknown) => string | undefined
type Read = [json: Uint8Array, problem: string | undefined]

/** Whether this array or object is either invalid or nothing but compared with what is stored, so that it need not be parsed. */
function isOnlyCompared(json: Uint8Array, { readOnly }: TSchema, check: Check): boolean {
  const empty = json[0] === 91 ? [] : json[0] === 123 ? {} : undefined
  return json.length >= largeFrom && empty !== undefined && (readOnly === true || check(empty) !== undefined)
}

function readBlob(source: Uint8Array, check: Check): Read {
  const { json, isWellFormed } = rewrittenBlob(source)
  const isEmpty = json.length === '[]'.length
  // A blob's schema asks for a kind of value, for whole characters in it, and maybe that it is not empty.
  const items = isWellFormed ? (isEmpty ? [] : ['']) : ['\ud800']
  const sample = json[0] === 91 ? items : json[0] === 123 ? { ...items } : fromJson(textOf(json))
  return [json, check(sample)]
}

function rewrittenBlob(source: Uint8Array): Rewritten {
  const most = source.length * maxGrowth
  try {
    const blob = parsing(() => rewritten(source, keepable, undefined, most))
    if (blob.json.length <= most) return blob
  } catch (error) {
    if (!(error instanceof TooLong)) throw error
  }
  throw new SvcError('svc_body_too_large', {
    message: 'The body contains too many numbers with exponents, which take more space written out.',
  })
}

function readDeclared(source: Uint8Array, declared: TSchema, check: Check): Read {
  const { value, write } = parsing(() => parseToWrite(textOf(source)))
  keepable(value)
  const text = write(value)
  // Rules of items must see their long numbers as numbers.
  return [encoded(text), check(declared.items ? parseExact(text) : value)]
}

const keepable = (value: unknown) => assertKeepable(value, 1)

function parsing<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof SyntaxError) refuse('it cannot be parsed')
    throw error
  }
}
