// Parses JSON bodies (RFC 8259) without loss of digits, with limited depth and number of values, and refuses values that could not be
// stored as they were sent.
import { isUtf8 } from 'node:buffer'
import { invalidParams, SvcError } from '../core/errors.ts'
import { parseExact } from '../json/exact.ts'
import { fromJson } from '../json/parse.ts'
import { extentOf, maxDepth, maxValues } from '../json/text.ts'

/** @throws SvcError 400 @param reason the end of the sentence */
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
 * Parses a body of which nothing is stored: of any depth, with the numbers of JavaScript.
 * @returns undefined for an empty body
 * @throws SvcError 400
 */
export function parseLoosely(bytes: Uint8Array): unknown {
  const text = textOf(bytes)
  return text === undefined ? undefined : parsed(text, fromJson)
}

/** Parses a body whose properties are stored. Numbers with more digits than a double are raw. Undefined for an empty body. @throws SvcError 400, 413 */
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
  // Checks treat null as a missing body.
  if (value === null) throw invalidParams({ body: 'must be a JSON object' })
  assertStorable(value)
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

/** @throws SvcError 400 for numbers beyond a double, and for a property that JavaScript would not store */
function assertStorable(value: unknown): void {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) refuse('it contains a number out of range')
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) assertStorable(item)
    return
  }
  for (const [key, property] of Object.entries(value)) {
    if (key === '__proto__') refuse('it contains a property named __proto__')
    assertStorable(property)
  }
}
