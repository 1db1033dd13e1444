// The errors that an operation can respond with, and their responses in the document: operations share one component for each status
// and set of codes.
import { type ErrorCode, errorTable } from '../../src/core/errors.ts'
import {
  type FullReason,
  fullReasons,
  type StorageReason,
  storageReasons,
  type UnavailableReason,
  unavailableReasons,
} from '../../src/core/unavailable-reasons.ts'
import type { Operation } from '../../src/http/operations.ts'
import { headersOf } from './headers.ts'
import type { Json } from './schemas.ts'

/** See `errorResponses`. */
export type ErrorResponses = ReturnType<typeof errorResponses>

/** The components of all error responses of these operations, and a function that refers to them. */
export function errorResponses(operations: readonly Operation[]) {
  const components: Record<string, Json> = {}
  /** Names of components by status and description. */
  const names = new Map<string, string>()
  const usedCodes = new Set<ErrorCode>()

  /** The name of the component for these codes, which is added if it is new. */
  function nameOf(operation: Operation, status: number, codes: readonly ErrorCode[]): string {
    const description = codes.map((code) => `\`${code}\`: ${causeOf(code, operation)}`).join('\n')
    const key = `${status} ${description}`
    const existingName = names.get(key)
    if (existingName !== undefined) return existingName
    const number = [...names.keys()].filter((name) => name.startsWith(`${status} `)).length
    const name = `Error${status}${number === 0 ? '' : `_${number + 1}`}`
    names.set(key, name)
    components[name] = {
      description,
      headers: headersOf(operation, status),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(
            codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
          ),
        },
      },
    }
    for (const code of codes) usedCodes.add(code)
    return name
  }

  /** References to the error responses of an operation, by status. */
  function refer(operation: Operation): Record<string, Json> {
    return Object.fromEntries(
      errorsOf(operation).map(([status, codes]) => [
        status,
        { $ref: `#/components/responses/${nameOf(operation, status, codes)}` },
      ]),
    )
  }

  for (const operation of operations) refer(operation)
  return {
    components,
    /** One example for each code. */
    examples: Object.fromEntries([...usedCodes].map((code) => [code, { value: errorExample(code) }])),
    refer,
  }
}

/** Statuses with their codes, in the order of the statuses. Only `svc_unreadable_value` may stand under two. */
export function errorsOf(operation: Operation): [status: number, codes: ErrorCode[]][] {
  const errors = [...new Set(codesOf(operation))].map((code) => ({ status: errorTable[code][0], code }))
  // Nothing can be merged into a stored value that cannot be read.
  const merges = operation.query?.properties.merge ? (['svc_unreadable_value'] as const) : []
  for (const code of [...operation.conflicts, ...merges]) errors.push({ status: 409, code })
  const byStatus = Map.groupBy(errors, ({ status }) => status)
  return [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, group]) => [status, group.map(({ code }) => code).sort()])
}

/** The codes that follow from its method and schemas, from its group, and those that its route names; some several times. */
function codesOf(operation: Operation): ErrorCode[] {
  const { group, method, path, body, headers, isOpen, toggle, params, query, causes } = operation
  const codes: ErrorCode[] = ['svc_internal_error', 'svc_unavailable', ...causes]
  if (!isOpen) codes.push('svc_unauthorized', 'svc_forbidden', 'svc_insufficient_scope')
  if (toggle !== undefined || params) codes.push('rest_no_route')
  if (body || query || !isOpen) codes.push('rest_invalid_param')
  if (body || query?.required?.length) codes.push('rest_missing_callback_param')
  // A body is also read, and refused, by routes without one.
  if (method !== 'GET') codes.push('svc_body_too_large', 'svc_unsupported_media_type', 'rest_invalid_json')
  if (method !== 'GET' && codes.includes('svc_storage_not_configured')) codes.push('svc_storage_full')
  if (group.missing && params && path.includes('}')) codes.push(group.missing as ErrorCode)
  if (headers.properties['if-match']) codes.push('svc_precondition_failed')
  if (headers.properties['idempotency-key'])
    codes.push('svc_idempotency_key_running', 'svc_idempotency_key_reused')
  if (query?.properties.include_views || (method === 'GET' && query?.properties.limit))
    codes.push('svc_list_too_large')
  if (!group.readable) codes.push('svc_unreadable_value')
  return codes
}

/** When an operation responds with a code: the 503 of a read has fewer causes than that of a write or an upload. */
function causeOf(code: ErrorCode, { method, isOpen, consumes, body }: Operation): string {
  if (code !== 'svc_unavailable') return errorTable[code][1]
  const causes = ['The database cannot be reached', 'the request runs out of time']
  if (method !== 'GET') causes.push('the database is busy with other writers or full')
  if (isOpen) causes.push('too many notifications are being processed')
  if (body && consumes.includes('multipart/form-data')) causes.push('too many uploads wait for their checks')
  return `${causes.slice(0, -1).join(', ')}, or ${causes.at(-1)}; \`data.reason\` says which.`
}

/** Examples of `data.reason`. */
const reasonExamples: Partial<Record<ErrorCode, { reason: UnavailableReason | FullReason | StorageReason }>> =
  {
    svc_storage_unavailable: { reason: 'storage-timeout' },
    svc_unavailable: { reason: 'database-unreachable' },
    svc_storage_full: { reason: 'uploads-full' },
  }

function errorExample(code: ErrorCode): Json {
  const [status, message] = errorTable[code]
  const id = status >= 500 ? { request_id: 'req-1' } : {}
  return { success: false, code, message, data: { status, ...reasonExamples[code], ...id } }
}

/** The schema of every error body. */
export const errorSchema: Json = {
  type: 'object',
  required: ['success', 'code', 'message', 'data'],
  properties: {
    success: { const: false, description: 'Always false.' },
    code: { type: 'string', description: 'Machine-readable code.', examples: ['rest_invalid_param'] },
    message: { type: 'string', description: 'One sentence that names the offending field or value.' },
    data: {
      type: 'object',
      description: 'Details.',
      required: ['status'],
      properties: {
        status: { type: 'integer', description: 'The HTTP status.' },
        params: {
          type: ['object', 'array'],
          items: { type: 'string' },
          description: 'The invalid or missing parameters.',
        },
        reason: {
          type: 'string',
          enum: [unavailableReasons, fullReasons, storageReasons].flatMap(Object.keys),
          description:
            'Why a 503 `svc_unavailable`, a 507 `svc_storage_full` or a 502 `svc_storage_unavailable` happened.',
        },
        request_id: { type: 'string', description: 'Id of the request in the log, for a 5xx.' },
      },
    },
    errors: { type: 'array', items: { type: 'string' }, description: 'All problems of the request.' },
    error: { type: 'object', description: 'The diagnosis of another service that refused.' },
  },
}
