// Which errors an operation can respond with: those of its form, of its group, and those that its route names.
import { type ErrorCode, errorTable } from '../../src/core/errors.ts'
import type { Operation } from '../../src/http/operations.ts'

/** Statuses with their codes, in the order of the statuses; each code once. */
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

function codesOf(operation: Operation): ErrorCode[] {
  const { group, method, path, body, headers, isOpen, toggle, params, query, causes } = operation
  const codes: ErrorCode[] = ['svc_internal_error', 'svc_unavailable', ...causes]
  if (!isOpen) codes.push('svc_unauthorized', 'svc_forbidden', 'svc_insufficient_scope')
  if (toggle !== undefined || params) codes.push('rest_no_route')
  if (body || query || !isOpen) codes.push('rest_invalid_param')
  if (body || query?.required?.length) codes.push('rest_missing_callback_param')
  // A body is read and refused where none is expected, too.
  if (method !== 'GET') codes.push('svc_body_too_large', 'svc_unsupported_media_type', 'rest_invalid_json')
  if (group.missing && params && path.includes('}')) codes.push(group.missing as ErrorCode)
  if (headers.properties['if-match']) codes.push('svc_precondition_failed')
  if (headers.properties['idempotency-key'])
    codes.push('svc_idempotency_key_running', 'svc_idempotency_key_reused')
  if (query?.properties.include_views || (method === 'GET' && query?.properties.limit))
    codes.push('svc_list_too_large')
  if (!group.readable) codes.push('svc_unreadable_value')
  return codes
}
