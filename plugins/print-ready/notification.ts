// Reads a notification: from a JSON or form body, the query and the path, and whether it is signed where it has to be.
import { parse as parseForm } from 'node:querystring'
import type { FastifyRequest } from 'fastify'
import { invalidParams, missingParams, SvcError } from '../../src/errors.ts'
import { parseJson } from '../../src/http/json-body.ts'
import { isSigned } from '../../src/print/signature.ts'

/** A body as it came: what is signed are its bytes. */
export interface RawBody {
  bytes: Buffer
  isForm: boolean
}

/**
 * @param secret key of signed notifications; then only what is signed, the body, can name the file
 * @throws SvcError 400, 401
 */
export function readNotification(
  request: FastifyRequest,
  secret: Buffer | undefined,
): { guid: string; fileUrl: string } {
  const raw = (request.body ?? { bytes: Buffer.alloc(0), isForm: false }) as RawBody
  if (secret && !isFrom(request, raw.bytes, secret)) throw new SvcError('svc_webhook_signature_invalid')
  const body = membersOf(raw)
  const query = secret ? {} : (request.query as Record<string, unknown>)
  const path = request.params as { guid: string }
  const given = {
    print_job_id: body.print_job_id ?? query.print_job_id ?? path.guid,
    file_url: body.file_url ?? query.file_url,
  }
  const { print_job_id: guid, file_url: fileUrl } = given
  const names = Object.entries(given)
  const missing = names.filter(([, value]) => value === undefined || value === null || value === '')
  if (missing.length > 0) throw missingParams(missing.map(([name]) => name))
  if (typeof guid !== 'string' || typeof fileUrl !== 'string') {
    const wrong = names.filter(([, value]) => typeof value !== 'string')
    throw invalidParams(Object.fromEntries(wrong.map(([name]) => [name, 'must be a text'])))
  }
  return { guid, fileUrl }
}

function membersOf({ bytes, isForm }: RawBody): Record<string, unknown> {
  const value = isForm ? parseForm(bytes.toString()) : (parseJson(bytes) ?? {})
  if (typeof value !== 'object' || Array.isArray(value) || value === null) {
    throw invalidParams({ body: 'must be a JSON object' })
  }
  return value as Record<string, unknown>
}

function isFrom({ raw, headers }: FastifyRequest, body: Buffer, secret: Buffer): boolean {
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) => {
    const count = raw.rawHeaders.filter(
      (text, i) => i % 2 === 0 && text.toLowerCase() === `webhook-${name}`,
    ).length
    const value = headers[`webhook-${name}`]
    return count === 1 && typeof value === 'string' ? value : undefined
  })
  return isSigned({ id, timestamp, signature, body }, secret)
}
