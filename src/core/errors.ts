// Every error code of the API with its HTTP status and default message, and the class of errors that become responses. Codes that only
// one group uses are in `groups.ts`.
import { type GroupErrorCode, groups } from './groups.ts'
import type { StorageReason, UnavailableReason } from './unavailable-reasons.ts'

/** Codes of several groups. */
const sharedErrors = {
  rest_no_route: [404, 'No route was found matching the URL and request method.'],
  rest_invalid_json: [400, 'The request body is not valid JSON.'],
  rest_missing_callback_param: [400, 'A required parameter is missing.'],
  rest_invalid_param: [400, 'A parameter is invalid.'],
  svc_unauthorized: [
    401,
    'Missing or malformed Authorization header; send "Authorization: Bearer <token>" with the API token.',
  ],
  svc_forbidden: [403, 'Invalid API token.'],
  svc_insufficient_scope: [403, 'This token may not do this.'],
  svc_upload_too_large: [413, 'The file exceeds the upload limit.'],
  svc_upload_too_slow: [408, 'The upload was not received in time.'],
  svc_upload_type_not_allowed: [422, 'Files of this type cannot be uploaded.'],
  svc_upload_type_mismatch: [422, 'The content of the file does not match its name.'],
  svc_upload_rejected: [422, 'The file did not pass the checks.'],
  svc_order_type_unavailable: [400, 'This installation has no orders of this type.'],
  svc_order_data_not_found: [404, 'No customization data for this order.'],
  svc_order_item_not_found: [404, 'The order does not contain the item.'],
  svc_print_job_not_found: [404, 'No print job with this id.'],
  svc_print_job_busy: [409, 'The print job is being processed; try again later.'],
  svc_print_job_not_failed: [409, 'Only a failed print job that no newer one has replaced can be retried.'],
  svc_webhook_signature_invalid: [401, 'The signature of the notification is missing or invalid.'],
  svc_print_file_too_large: [413, 'The print file exceeds the size limit.'],
  svc_print_file_url_refused: [422, 'file_url must not be downloaded from.'],
  svc_print_file_rejected: [422, 'The file is not a PDF, ZIP, PNG, JPEG or SVG file.'],
  svc_print_file_unavailable: [502, 'The print file could not be downloaded; try again later.'],
  svc_export_refused: [502, 'The export service refused the order; the property error gives its reason.'],
  svc_export_not_configured: [503, 'No export service is configured, and the renderer is off.'],
  svc_render_refused: [422, 'The design contains something that cannot be drawn exactly.'],
  svc_render_failed: [500, 'The renderer could not draw the design.'],
  svc_renderer_busy: [503, 'Too many designs are waiting to be drawn; try again later.'],
  svc_renderer_off: [501, 'The renderer is off; previews are not available.'],
  svc_print_provider_unavailable: [502, 'The print provider could not be reached; try again later.'],
  svc_print_downloads_busy: [503, 'Too many print files are being downloaded; try again later.'],
  svc_storage_not_configured: [503, 'No uploads folder is configured.'],
  svc_storage_unavailable: [
    502,
    'The file storage could not be reached or refused the request; try again later.',
  ],
  svc_storage_full: [507, 'The disk that files are stored on is full or read-only.'],
  svc_precondition_failed: [
    412,
    'The resource has changed since the version named in If-Match; read it again.',
  ],
  svc_list_too_large: [
    413,
    'The stored values of this page are too large for one response; request fewer rows or use fields.',
  ],
  svc_body_too_large: [413, 'The request body exceeds the size limit of this route.'],
  svc_unsupported_media_type: [
    415,
    'Send the body as application/json, and an upload as multipart/form-data.',
  ],
  svc_idempotency_key_running: [409, 'The first request with this Idempotency-Key is still running.'],
  svc_idempotency_key_reused: [422, 'This Idempotency-Key was used for a different request.'],
  svc_unreadable_value: [500, 'A stored value cannot be read.'],
  svc_internal_error: [500, 'The server could not complete the request.'],
  svc_unavailable: [503, 'The database cannot be reached; try again later.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

/** Machine-readable code of an error response. */
export type ErrorCode = keyof typeof sharedErrors | GroupErrorCode

type Row = readonly [status: number, message: string]

/**
 * All codes of error responses with their status and default message.
 * @example
 * ```ts
 * const [status, message] = errorTable.svc_product_not_found // 404, 'No product with this id.'
 * ```
 */
export const errorTable: Readonly<Record<ErrorCode, Row>> = Object.assign(
  {},
  sharedErrors,
  ...groups.map(({ errors }) => errors),
)

/** Codes that only the property `error` of a failed print job shows, in addition to those of {@link errorTable}. */
export const jobErrors = {
  svc_print_provider_not_configured: 'No print provider is configured.',
  svc_print_provider_refused: 'The print provider refused the order.',
  svc_print_job_invalid: 'The details of the print job do not identify an order.',
  svc_print_job_cancelled: 'The print job was cancelled.',
} as const satisfies Record<string, string>

/** Code in the property `error` of a print job. */
export type JobErrorCode = ErrorCode | keyof typeof jobErrors

/** Code of a refusal (4xx) by a hook of the host that has no code of its own. */
export const hostRefusalCode = 'svc_refused'

/** Maximum number of characters of an id or name that an error repeats. */
const maxNameLength = 200

interface Details {
  /** One full sentence that names the offending field or value. */
  message?: string
  /** Properties of the response's `data`, in addition to `status`. */
  data?: Record<string, unknown>
  /** All problems, for routes that report several. */
  errors?: string[]
  /** Top-level property `error` of the response: the diagnosis of another service. */
  error?: object
  headers?: Record<string, string>
  cause?: unknown
}

/** `data.reason` of errors that are thrown without one. */
const defaultReasons: Partial<Record<ErrorCode, UnavailableReason | StorageReason>> = {
  svc_unavailable: 'database-unreachable',
  svc_storage_unavailable: 'storage-failed',
}

/**
 * An error and the response that it becomes. Throw it anywhere; only the error handler turns it into a body.
 * @example
 * ```ts
 * throw new SvcError('svc_upload_too_large', { message: 'The file exceeds the upload limit of 10 MB.', data: { limit } })
 * ```
 */
export class SvcError extends Error {
  override readonly name: string = 'SvcError'
  // Not readonly: Fastify writes both on errors that a validator returns.
  code: ErrorCode
  statusCode: number
  readonly data: Record<string, unknown>
  readonly errors: string[] | undefined
  readonly error: object | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, { message, data, errors, error, headers, cause }: Details = {}) {
    const [status, text] = errorTable[code]
    super(message ?? text, { cause })
    this.code = code
    this.statusCode = status
    this.data = { ...(Object.hasOwn(defaultReasons, code) && { reason: defaultReasons[code] }), ...data }
    this.errors = errors
    this.error = error
    this.headers = headers ?? {}
  }
}

/**
 * Names the requested id in a default message: "No product with this id." becomes "No product with the id 5." Other messages stay
 * unchanged. Changes the error, and returns it.
 */
export function withRequestedId(error: SvcError, requested: string): SvcError {
  const [, message] = errorTable[error.code]
  if (error.message === message && requested !== '') {
    const name = shortened(requested)
    error.message = message.replace(/\bthis (\w+)/, (_, noun) => `the ${noun} ${name}`)
  }
  return error
}

/** Maximum number of problems in `data.params`. */
const maxParams = 1000
/** Maximum number of problems in the message. */
const maxSpelled = 20

/**
 * 400 for invalid values: `params` maps each field to what it must be, e.g. `{ limit: 'must be between 1 and 100' }`.
 * The response lists at most 1,000 and counts the others in `data.more`.
 */
export function invalidParams(params: Record<string, string>): SvcError {
  const problems = Object.entries(params)
  const listed = problems.slice(0, maxParams).map(([name, problem]) => [shortened(name), problem] as const)
  const spelled = listed.slice(0, maxSpelled).map(([name, problem]) => `${name} ${problem}`)
  const unspelled = problems.length - spelled.length
  const unlisted = problems.length - listed.length
  return new SvcError('rest_invalid_param', {
    message: `Invalid parameter(s): ${spelled.join('; ')}${unspelled > 0 ? ` and ${unspelled} more` : ''}.`,
    data: { params: Object.fromEntries(listed), ...(unlisted > 0 && { more: unlisted }) },
  })
}

const shortened = (name: string) => (name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name)

/** 400 for missing fields, listed in `data.params`. */
export function missingParams(names: string[]): SvcError {
  return new SvcError('rest_missing_callback_param', {
    message: `Missing parameter(s): ${names.join(', ')}.`,
    data: { params: names },
  })
}

/** 400 for ids in a body of rows that do not exist. The message lists at most 20. @param noun what they are, such as `products` */
export function unknownReferences(field: string, noun: string, ids: readonly number[]): SvcError {
  const named = ids.slice(0, 20).join(', ') + (ids.length > 20 ? ` and ${ids.length - 20} more` : '')
  return invalidParams({ [field]: `names ${noun} that do not exist: ${named}` })
}

/** 500 for a stored value that cannot be read. Names the place, never the value. */
export function unreadableValue(place: { table: string; row: number | string; column: string }): SvcError {
  return new SvcError('svc_unreadable_value', {
    message: `The value stored in ${place.table}.${place.column} of row ${place.row} cannot be read: it is not JSON in any known encoding, nested deeper than 512 levels, or larger than 32 MiB or 500,000 values.`,
    data: { ...place },
  })
}

/** 409 for a merge into a stored value that cannot be read as an object. Names the place, never the value. */
export function unmergeableValue(place: { table: string; row: number; column: string }): SvcError {
  const error = new SvcError('svc_unreadable_value', {
    message: `Cannot merge into the value stored in ${place.table}.${place.column} of row ${place.row}, because it cannot be read as an object; send the whole value with ?merge=false to replace it.`,
    data: { ...place },
  })
  error.statusCode = 409
  return error
}

/** For catch(): undefined for a 404. @throws any other error */
export function unlessMissing(error: unknown): undefined {
  if (!(error instanceof SvcError && error.statusCode === 404)) throw error
}

/** For catch(): undefined if rows were too large to be read together. @throws any other error */
export function unlessTooLarge(error: unknown): undefined {
  if (error instanceof SvcError && error.code === 'svc_list_too_large') return undefined
  throw error
}

/** 403 for an operation outside the scopes of the sender. `all` means all rights, which no scope contains. */
export function insufficientScope(scope: string, message?: string): SvcError {
  return new SvcError('svc_insufficient_scope', {
    message: message ?? `This needs the scope ${scope}, which was not granted.`,
    data: { scope },
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  })
}
