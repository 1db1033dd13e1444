// Every error the API can answer, in one table: code, HTTP status and the sentence used when nothing more precise is known.

const table = {
  rest_no_route: [404, 'No route was found matching the URL and request method.'],
  rest_invalid_json: [400, 'The body is not valid JSON.'],
  rest_missing_callback_param: [400, 'A required parameter is missing.'],
  rest_invalid_param: [400, 'A parameter is not valid.'],
  svc_unauthorized: [
    401,
    'The Authorization header must carry the API token: "Authorization: Bearer <token>".',
  ],
  svc_forbidden: [403, 'The API token is not the right one.'],
  svc_product_not_found: [404, 'There is no such product.'],
  svc_view_not_found: [404, 'There is no such view.'],
  svc_category_not_found: [404, 'There is no such product category.'],
  svc_category_title_taken: [409, 'Another product category already has this title.'],
  svc_text_template_not_found: [404, 'There is no text template at this position.'],
  svc_text_template_invalid: [422, 'The text template is not valid.'],
  svc_color_not_found: [404, 'There is no such color in the library.'],
  svc_palette_not_found: [404, 'There is no such palette in the library.'],
  svc_color_library_invalid: [400, 'The color library is not valid.'],
  svc_settings_group_not_found: [404, 'There is no such tab or section of settings.'],
  svc_design_category_not_found: [404, 'There is no such design category.'],
  svc_design_category_cycle: [400, 'A design category cannot be moved below one of its own descendants.'],
  svc_pricing_rule_not_found: [404, 'There is no such pricing rule.'],
  svc_pricing_rule_invalid: [422, 'The data of the pricing rule are not valid.'],
  svc_print_profile_not_found: [404, 'There is no such print profile.'],
  svc_print_profile_is_master: [
    409,
    'The master print profile cannot be deleted; clear its master status first.',
  ],
  svc_user_interface_not_found: [404, 'There is no such user interface layout.'],
  svc_user_interface_is_default: [
    409,
    'There must always be one default layout; make another one the default first.',
  ],
  svc_asset_not_found: [404, 'There is no such asset.'],
  svc_font_not_found: [404, 'There is no such font family.'],
  svc_upload_too_large: [413, 'The file is larger than the uploads of this shop may be.'],
  svc_upload_too_slow: [408, 'The upload took too long.'],
  svc_upload_type_not_allowed: [422, 'Files of this type cannot be uploaded.'],
  svc_upload_type_mismatch: [422, 'The content of the file is not what its name says.'],
  svc_upload_rejected: [422, 'The file did not pass the checks.'],
  svc_order_type_unavailable: [400, 'This installation has no orders of this type.'],
  svc_order_data_not_found: [404, 'There is no customization data for this order.'],
  svc_order_item_not_found: [404, 'The order has no such item.'],
  svc_shortcode_order_not_found: [404, 'There is no such shortcode order.'],
  svc_print_job_not_found: [404, 'There is no such print job.'],
  svc_print_job_busy: [409, 'This print job is being worked on at the moment; please try again.'],
  svc_webhook_signature_invalid: [401, 'The notification is not signed, or not signed rightly.'],
  svc_print_file_too_large: [413, 'The print file is larger than this installation takes.'],
  svc_print_file_url_refused: [422, 'file_url is not an address that may be fetched.'],
  svc_print_file_rejected: [422, 'The file is neither a PDF, ZIP, PNG, JPEG nor SVG file.'],
  svc_print_file_unavailable: [502, 'The print file could not be fetched; please try again.'],
  svc_export_refused: [502, 'The export service refused the order; its reason stands in the member error.'],
  svc_export_not_configured: [503, 'This installation names no export service, and its renderer is off.'],
  svc_render_refused: [422, 'The design holds what cannot be drawn exactly.'],
  svc_render_failed: [500, 'The renderer could not draw the design.'],
  svc_renderer_busy: [503, 'Too many designs wait to be drawn at the moment; please try again.'],
  svc_renderer_off: [501, 'This installation does not draw previews: its renderer is off.'],
  svc_print_provider_unavailable: [502, 'The print provider could not be reached; please try again.'],
  svc_print_downloads_busy: [503, 'Too many print files are being fetched at the moment; please try again.'],
  svc_storage_not_configured: [503, 'This installation names no uploads folder to store files in.'],
  svc_precondition_failed: [412, 'The resource has changed since the version named in If-Match.'],
  svc_body_too_slow: [408, 'The body took too long to come.'],
  svc_list_too_large: [
    413,
    'The stored values on this page are too large for one response; ask for fewer rows or use fields.',
  ],
  svc_body_too_large: [413, 'The body is larger than this route accepts.'],
  svc_unsupported_media_type: [
    415,
    'The body must be sent as application/json, an upload as multipart/form-data.',
  ],
  svc_idempotency_key_running: [409, 'The first request with this Idempotency-Key is still running.'],
  svc_idempotency_key_reused: [422, 'This Idempotency-Key was used before with another request.'],
  svc_unreadable_value: [500, 'A stored value cannot be read.'],
  svc_internal_error: [500, 'The server could not complete the request.'],
  svc_unavailable: [503, 'The database cannot be reached at the moment; please try again.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

/** Characters of an id or name that an error repeats at most. */
const longestName = 200

/** Machine-readable code of an error answer. */
export type ErrorCode = keyof typeof table

/** All codes with their status, for documents and tests. */
export const errorTable: Readonly<Record<ErrorCode, readonly [status: number, message: string]>> = table

interface Details {
  /** One full sentence that names the offending field or value. */
  message?: string
  /** Members of the answer's `data`, beside `status`. */
  data?: Record<string, unknown>
  /** All problems at once, where a route reports several. */
  errors?: string[]
  /** Top-level member `error`: what another service said about it. */
  error?: object
  headers?: Record<string, string>
  cause?: unknown
}

/** An error with the answer it becomes. Thrown anywhere, turned into a body by the error handler alone. */
export class SvcError extends Error {
  override readonly name: string = 'SvcError'
  // Not readonly: Fastify writes both on errors that come out of a validator.
  code: ErrorCode
  statusCode: number
  readonly data: Record<string, unknown>
  readonly errors: string[] | undefined
  readonly error: object | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, { message, data, errors, error, headers, cause }: Details = {}) {
    super(message ?? table[code][1], { cause })
    this.code = code
    this.statusCode = table[code][0]
    this.data = data ?? {}
    this.errors = errors
    this.error = error
    this.headers = headers ?? {}
  }
}

/** The error with what was asked for behind its general sentence; one with a sentence of its own stays as it is. */
export function naming(error: SvcError, asked: string): SvcError {
  const [, sentence] = table[error.code]
  const isGeneral = error.message === sentence && error.code !== 'rest_no_route'
  if (isGeneral && asked !== '') error.message = `${sentence.slice(0, -1)}: ${asked.slice(0, longestName)}.`
  return error
}

/** So many problems go into `data.params`, and so many of them into the message; the others are counted. */
const mostParams = 1000
const mostSpelled = 20

/**
 * 400 for values: `params` maps each offending field to what it must be, e.g. `{ limit: 'must be between 1 and 100' }`.
 * At most 1,000 are given, `data.more` counts the others.
 */
export function invalidParams(params: Record<string, string>): SvcError {
  const all = Object.entries(params)
  const given = all.slice(0, mostParams).map(([name, problem]) => [shortened(name), problem] as const)
  const spelled = given.slice(0, mostSpelled).map(([name, problem]) => `${name} ${problem}`)
  const [unspelled, more] = [all.length - spelled.length, all.length - given.length]
  return new SvcError('rest_invalid_param', {
    message: `Invalid parameter(s): ${spelled.join('; ')}${unspelled > 0 ? ` and ${unspelled} more` : ''}.`,
    data: { params: Object.fromEntries(given), ...(more > 0 && { more }) },
  })
}

const shortened = (name: string) => (name.length > longestName ? `${name.slice(0, longestName)}…` : name)

/** 400 for absent fields, named in `data.params`. */
export function missingParams(names: string[]): SvcError {
  return new SvcError('rest_missing_callback_param', {
    message: `Missing parameter(s): ${names.join(', ')}.`,
    data: { params: names },
  })
}

/** 400 for references in a body to rows that do not exist; at most 20 ids are spelled out. */
export function unknownReferences(field: string, what: string, ids: readonly number[]): SvcError {
  const named = ids.slice(0, 20).join(', ') + (ids.length > 20 ? ` and ${ids.length - 20} more` : '')
  return invalidParams({ [field]: `names ${what} that do not exist: ${named}` })
}

/** 500 for a stored value that cannot be read: names only, never the value. */
export function unreadableValue(place: { table: string; row: number | string; column: string }): SvcError {
  return new SvcError('svc_unreadable_value', {
    message: `The value stored in ${place.table}.${place.column} of row ${place.row} cannot be read.`,
    data: { ...place },
  })
}

/** 409 for a merge into a stored value that cannot be read as an object: names only, never the value. */
export function unmergeableValue(place: { table: string; row: number; column: string }): SvcError {
  const error = new SvcError('svc_unreadable_value', {
    message: `Nothing can be merged into the value stored in ${place.table}.${place.column} of row ${place.row}, which cannot be read as an object; send the whole value with ?merge=false to replace it.`,
    data: { ...place },
  })
  error.statusCode = 409
  return error
}

/** For catch(): undefined where rows are too large to be read together. @throws any other error */
export function unlessTooLarge(error: unknown): undefined {
  if (error instanceof SvcError && error.code === 'svc_list_too_large') return undefined
  throw error
}

/** 503 with a hint when to come back. */
export function unavailable(cause?: unknown): SvcError {
  return new SvcError('svc_unavailable', { headers: { 'retry-after': '2' }, cause })
}
