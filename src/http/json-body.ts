// Parses JSON bodies exactly, with limited depth and number of values, and refuses what could not be stored as it was sent.
import { isUtf8 } from 'node:buffer'
import { invalidParams, SvcError } from '../core/errors.ts'
import { parseExact } from '../json/exact.ts'
import { extentOf } from '../json/text.ts'

const maxDepth = 512
/** Values of one body. `[[],[],…` takes twenty times the time and memory of other JSON with the same length. */
const maxValues = 500_000

function refuse(reason: string): never {
  throw new SvcError('rest_invalid_json', { message: `The body is not valid JSON: ${reason}.` })
}

/** The parsed value; undefined for an empty body. @throws SvcError 400, 413 */
export function parseBody(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) refuse('it is not UTF-8')
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString()
    .replace(/^\ufeff/, '')
  if (!/[^ \t\n\r]/.test(text)) return undefined
  const { depth, values } = extentOf(text, { depth: maxDepth, values: maxValues })
  if (depth > maxDepth) refuse(`it is nested deeper than ${maxDepth}`)
  if (values > maxValues)
    throw new SvcError('svc_body_too_large', {
      message: `The body contains more than ${maxValues.toLocaleString('en')} values.`,
    })
  const value = parsed(text)
  // Fastify's validation would take null for no body.
  if (value === null) throw invalidParams({ body: 'must be a JSON object' })
  assertKeepable(value)
  return value
}

function parsed(text: string): unknown {
  try {
    return parseExact(text)
  } catch (error) {
    if (error instanceof SyntaxError) refuse('it cannot be parsed')
    throw error
  }
}

function assertKeepable(value: unknown): void {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) refuse('it contains a number out of range')
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) assertKeepable(item)
    return
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__') refuse('it contains a property named __proto__')
    assertKeepable((value as Record<string, unknown>)[key])
  }
}
