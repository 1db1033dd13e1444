// Reads a notification from a JSON or form body, the query and the path, and verifies its signature if one is required.
import { isUtf8 } from 'node:buffer'
import { parse as parseForm } from 'node:querystring'
import type { FastifyRequest } from 'fastify'
import { invalidParams, missingParams, SvcError } from '../../src/core/errors.ts'
import { fromJson } from '../../src/json/parse.ts'
import { isSigned, type WebhookSecret } from '../../src/outbound/signature.ts'

/** The bytes of a body, which the signature covers. */
export interface RawBody {
  bytes: Buffer
  isForm: boolean
}

/** The properties of a notification; all others are ignored. */
interface Payload {
  print_job_id?: unknown
  file_url?: unknown
}

/**
 * @param secret key of signed notifications; then job and file come only from the body, which is signed
 * @throws SvcError 400, 401
 */
export function readNotification(
  request: FastifyRequest,
  secret: WebhookSecret | undefined,
): { guid: string; fileUrl: string } {
  const raw = (request.body ?? { bytes: Buffer.alloc(0), isForm: false }) as RawBody
  if (secret && !isFrom(request, raw.bytes, secret)) throw new SvcError('svc_webhook_signature_invalid')
  const path = request.params as { guid: string }
  const { print_job_id: guid, file_url: fileUrl } = stringsOf(
    secret
      ? payloadOf(raw)
      : { print_job_id: path.guid, ...given(request.query as Payload), ...given(payloadOf(raw)) },
  )
  // A signed notification must not be sent to another job than it was signed for.
  if (secret && guid !== path.guid)
    throw invalidParams({ print_job_id: 'must be the GUID that the path names' })
  return { guid, fileUrl }
}

/** Both parameters as strings. */
function stringsOf({ print_job_id, file_url }: Payload): Record<keyof Payload, string> {
  const names = Object.entries({ print_job_id, file_url })
  const missing = names.filter(([, value]) => value === undefined || value === null || value === '')
  if (missing.length > 0) throw missingParams(missing.map(([name]) => name))
  if (typeof print_job_id === 'string' && typeof file_url === 'string') return { print_job_id, file_url }
  const wrong = names.filter(([, value]) => typeof value !== 'string')
  throw invalidParams(Object.fromEntries(wrong.map(([name]) => [name, 'must be a string'])))
}

/** The parameters that have a value. */
function given({ print_job_id, file_url }: Payload): Payload {
  return {
    ...(print_job_id !== undefined && print_job_id !== null && { print_job_id }),
    ...(file_url !== undefined && file_url !== null && { file_url }),
  }
}

function payloadOf({ bytes, isForm }: RawBody): Payload {
  const value = isForm ? parseForm(bytes.toString()) : parsed(bytes)
  if (typeof value !== 'object' || Array.isArray(value) || value === null) {
    throw invalidParams({ body: 'must be a JSON object' })
  }
  return value
}

/** Without exact numbers, because only two strings are read. */
function parsed(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalidJson('it is not UTF-8')
  const text = bytes.toString().replace(/^\ufeff/, '')
  if (text.trim() === '') return {}
  try {
    return fromJson(text)
  } catch {
    throw invalidJson('it cannot be parsed')
  }
}

const invalidJson = (reason: string) =>
  new SvcError('rest_invalid_json', { message: `The body is not valid JSON: ${reason}.` })

function isFrom({ raw, headers }: FastifyRequest, body: Buffer, secret: WebhookSecret): boolean {
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) => {
    const count = raw.rawHeaders.filter(
      (text, i) => i % 2 === 0 && text.toLowerCase() === `webhook-${name}`,
    ).length
    const value = headers[`webhook-${name}`]
    return count === 1 && typeof value === 'string' ? value : undefined
  })
  return isSigned({ id, timestamp, signature, body }, secret)
}
