// Parses JSON bodies exactly, with limited depth and number of values, and refuses what could not be stored as it was sent.
import { isUtf8 } from 'node:buffer'
import { invalidParams, SvcError } from '../core/errors.ts'
import { parseExact } from '../json/exact.ts'
import { fromJson } from '../json/parse.ts'
import { extentOf, maxDepth, maxValues } from '../json/text.ts'

function refuse(reason: string): never {
  throw new SvcError('rest_invalid_json', { message: `The body is not valid JSON: ${reason}.` })
}

/** The text of a JSON body; undefined for an empty one. @throws SvcError 400 for other than UTF-8 */
function textOf(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) refuse('it is not UTF-8')
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString()
    .replace(/^\ufeff/, '')
  return /[^ \t\n\r]/.test(text) ? text : undefined
}

/**
 * A body of which single properties are read and nothing is stored: of any depth, with numbers as JavaScript has them.
 * @returns undefined for an empty body
 * @throws SvcError 400
 */
export function parseLoosely(bytes: Uint8Array): unknown {
  const text = textOf(bytes)
  return text === undefined ? undefined : parsed(text, fromJson)
}

/** The parsed value; undefined for an empty body. @throws SvcError 400, 413 */
export function parseBody(bytes: Uint8Array): unknown {
  const text = textOf(bytes)
  if (text === undefined) return undefined
  const { depth, values } = extentOf(text, { depth: maxDepth, values: maxValues })
  if (depth > maxDepth) refuse(`it is nested deeper than ${maxDepth}`)
  if (values > maxValues)
    throw new SvcError('svc_body_too_large', {
      message: `The body contains more than ${maxValues.toLocaleString('en')} values.`,
    })
  const value = parsed(text, parseExact)
  // Fastify's validation would take null for no body.
  if (value === null) throw invalidParams({ body: 'must be a JSON object' })
  assertKeepable(value)
  return value
}

function parsed(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text)
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
