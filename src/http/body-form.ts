// The form of a body that is still to be read: its coding and its charset.
import type { preParsingHookHandler } from 'fastify'
import { SvcError } from '../core/errors.ts'

/** Characters of a header that an error repeats at most. */
const maxRepeated = 100

/**
 * 415 for a compressed body, unless a plugin of the host has decompressed it, and for a charset other than UTF-8. Bodies of GET
 * and HEAD are not read, and not checked. It must run after the hooks of the host.
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
