// Bodies of requests: which are read at all (Expect, coding, charset), and how JSON is parsed (RFC 8259): without loss of digits, with
// limited depth and number of values. Values that could not be stored as they were sent are refused.
import { isUtf8 } from 'node:buffer'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify'
import { invalidParams, SvcError } from '../core/errors.ts'
import { turns } from '../core/turns.ts'
import { fromJson, parseExact } from '../json/parse.ts'
import { extentOf, maxDepth, maxValues } from '../json/text.ts'
import { endpointOf } from './endpoint.ts'
import { allowBody, deferContinue } from './expect-continue.ts'
import { validators } from './validate.ts'

/** Prepares a scope for bodies: JSON is parsed, and any other body is refused. A scope for uploads adds another parser. */
export function acceptBodies(app: FastifyInstance): void {
  deferContinue(app.server, app.prefix)
  app.addHook('preParsing', admitBody)
  const assertNoBody = validators().body(Type.Object({}))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      const turn = turns()
      const value = parseBody(bytes)
      await turn()
      // The hook of the route checks only declared bodies. A route without one refuses any property.
      if (!endpointOf(request)?.schema.body) assertNoBody(value)
      return value
    },
  )
  // Some clients send a Content-Type without a body.
  app.addContentTypeParser('*', async ({ headers }: FastifyRequest) => {
    if (headers['content-length'] !== '0') throw new SvcError('svc_unsupported_media_type')
  })
}

/** Lets a client that waits for "100 Continue" send its body. The gate has accepted the request before. */
const admitBody: preParsingHookHandler = (request, reply, payload, done) => {
  const { headers } = request
  // The stream has already been consumed, so parsing would hang.
  if (hasBody(request) && payload.readableEnded)
    return done(
      new Error('Something in the host, such as express.json(), has read the body before this API.'),
    )
  // A body whose length is refused need not be sent.
  const isTooLong = Number(headers['content-length']) > (request.routeOptions.bodyLimit ?? 0)
  if (headers.expect !== undefined && !isTooLong) allowBody(request, reply)
  done()
}

/** Maximum number of characters of a header that an error repeats. */
const maxRepeated = 100

/**
 * A hook that refuses, with 415, a compressed body, unless a plugin of the host has decompressed it, and a charset other than UTF-8.
 * Bodies of GET and HEAD are not read, so they are not checked. It must run after the hooks of the host.
 */
export const checkBodyForm: preParsingHookHandler = (request, _reply, payload, done) => {
  const { 'content-encoding': coding, 'content-type': type = '' } = request.headers
  if (!hasBody(request) || ['GET', 'HEAD'].includes(request.method)) return done()
  const isCoded = coding !== undefined && !['', 'identity'].includes(coding.trim().toLowerCase())
  if (isCoded && payload === request.raw) return done(refusedCoding(coding))
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1]
  const isForm = /^\s*multipart\//i.test(type)
  done(charset === undefined || isForm || /^utf-?8$/i.test(charset) ? null : refusedCharset(charset))
}

/** Whether the headers of a request announce a body. */
const hasBody = ({ headers }: { headers: NodeJS.Dict<string | string[]> }): boolean =>
  Number(headers['content-length']) > 0 || headers['transfer-encoding'] !== undefined

// RFC 9110 §15.5.16: Accept-Encoding names the codings that are accepted.
const refusedCoding = (coding: string) =>
  new SvcError('svc_unsupported_media_type', {
    message: `The body is encoded (Content-Encoding: ${coding.slice(0, maxRepeated)}); send it as it is, without compression.`,
    headers: { 'accept-encoding': 'identity' },
  })

const refusedCharset = (charset: string) =>
  new SvcError('svc_unsupported_media_type', {
    message: `The charset ${charset.slice(0, maxRepeated)} is not supported; send the body in UTF-8.`,
  })

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

/**
 * Parses a body whose properties are stored. Numbers with more digits in a row than a double has are raw numbers (`parseExact`).
 * @returns undefined for an empty body
 * @throws SvcError 400, 413
 */
export function parseBody(bytes: Uint8Array): unknown {
  const text = textOf(bytes)
  if (text === undefined) return undefined
  // A shorter text can exceed no limit.
  if (text.length > maxDepth) assertWithinLimits(text)
  const value = parsed(text, parseExact)
  // Checks treat null as a missing body.
  if (value === null) throw invalidParams({ body: 'must be a JSON object' })
  assertStorable(value)
  return value
}

/** @throws SvcError 400 for too deep JSON, 413 for too many values */
function assertWithinLimits(text: string): void {
  const { depth, values } = extentOf(text, { depth: maxDepth, values: maxValues })
  if (depth > maxDepth) refuse(`it is nested deeper than ${maxDepth}`)
  if (values > maxValues)
    throw new SvcError('svc_body_too_large', {
      message: `The body contains more than ${maxValues.toLocaleString('en')} values.`,
    })
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
