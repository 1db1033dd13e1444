// Reads a notification from a JSON or form body, the query and the path, and verifies its signature if one is required.
import { parse as parseForm } from 'node:querystring'
import type { FastifyRequest } from 'fastify'
import { invalidParams, missingParams, SvcError } from '../../src/core/errors.ts'
import { parseLoosely } from '../../src/http/body.ts'
import { countOf } from '../../src/http/gate.ts'
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
  const sources: Payload[] = secret
    ? [payloadOf(raw)]
    : [payloadOf(raw), request.query as Payload, { print_job_id: path.guid }]
  const first = (name: keyof Payload) =>
    sources.map((source) => source[name]).find((value) => value !== undefined && value !== null)
  const { print_job_id: guid, file_url: fileUrl } = stringsOf({
    print_job_id: first('print_job_id'),
    file_url: first('file_url'),
  })
  // A signed notification must not be sent to another job than it was signed for.
  if (secret && guid !== path.guid)
    throw invalidParams({ print_job_id: 'must be the GUID that the path names' })
  return { guid, fileUrl }
}

/** Both parameters as strings. */
function stringsOf({ print_job_id, file_url }: Payload): Record<keyof Payload, string> {
  const names = Object.entries({ print_job_id, file_url })
  const missing = names.filter(([, value]) => value === undefined || value === '')
  if (missing.length > 0) throw missingParams(missing.map(([name]) => name))
  if (typeof print_job_id === 'string' && typeof file_url === 'string') return { print_job_id, file_url }
  const wrong = names.filter(([, value]) => typeof value !== 'string')
  throw invalidParams(Object.fromEntries(wrong.map(([name]) => [name, 'must be a string'])))
}

function payloadOf({ bytes, isForm }: RawBody): Payload {
  // Other properties that a service sends must not cause a refusal.
  const sent = isForm ? parseForm(bytes.toString()) : parseLoosely(bytes)
  const value = sent === undefined ? {} : sent
  if (typeof value !== 'object' || Array.isArray(value) || value === null)
    throw invalidParams({ body: 'must be a JSON object' })
  return value
}

function isFrom({ raw, headers }: FastifyRequest, body: Buffer, secret: WebhookSecret): boolean {
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) => {
    const value = headers[`webhook-${name}`]
    return countOf(raw, `webhook-${name}`) === 1 && typeof value === 'string' ? value : undefined
  })
  return isSigned({ id, timestamp, signature, body }, secret)
}
