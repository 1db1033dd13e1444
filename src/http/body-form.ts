// Checks coding and charset of a body before it is read.
import type { preParsingHookHandler } from 'fastify'
import { SvcError } from '../core/errors.ts'

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
export const hasBody = ({ headers }: { headers: NodeJS.Dict<string | string[]> }): boolean =>
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
