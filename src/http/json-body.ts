// Parses JSON bodies: exact, bounded in depth, and without members or numbers that could not be stored as they were sent.
import { isUtf8 } from 'node:buffer'
import { invalidParams, SvcError } from '../errors.ts'
import { parseExact } from '../json.ts'

const deepest = 512

function refuse(reason: string): never {
  throw new SvcError('rest_invalid_json', { message: `The body is not valid JSON: ${reason}.` })
}

/** The parsed value; undefined for an empty body. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) refuse('it is not UTF-8')
  const text = bytes.toString('utf8')
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    // A byte order mark is no part of the text.
    value = parseExact(text.startsWith('\ufeff') ? text.slice(1) : text)
  } catch {
    refuse('it cannot be parsed')
  }
  // Fastify's validation would take null for no body.
  if (value === null) throw invalidParams({ body: 'must be a JSON object' })
  assertKeepable(value, 1)
  return value
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
    if (key === '__proto__') refuse('it holds a member named __proto__')
    assertKeepable((value as Record<string, unknown>)[key], depth + 1)
  }
}
