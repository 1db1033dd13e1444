// The HTTP status of each error code, written down once more, because clients branch on both.
import t from 'tap'
import {
  type ErrorCode,
  errorTable,
  insufficientScope,
  invalidParams,
  missingParams,
  SvcError,
  unknownReferences,
  unlessTooLarge,
  unmergeableValue,
  unreadableValue,
  withRequestedId,
} from '../../../src/core/errors.ts'
import { mixedEngines, outcomeUnknown, storageFull, unavailable } from '../../../src/core/unavailable.ts'
import { unavailableReasons } from '../../../src/core/unavailable-reasons.ts'

const codesOf: Record<number, string> = {
  400: `rest_invalid_json rest_missing_callback_param rest_invalid_param svc_order_type_unavailable
    svc_design_category_cycle svc_color_library_invalid`,
  401: 'svc_unauthorized svc_webhook_signature_invalid',
  403: 'svc_forbidden svc_insufficient_scope',
  404: `rest_no_route svc_order_data_not_found svc_order_item_not_found svc_print_job_not_found svc_product_not_found
    svc_view_not_found svc_asset_not_found svc_category_not_found svc_design_category_not_found svc_pricing_rule_not_found
    svc_print_profile_not_found svc_user_interface_not_found svc_shortcode_order_not_found svc_settings_group_not_found
    svc_font_not_found svc_text_template_not_found svc_color_not_found svc_palette_not_found`,
  408: 'svc_upload_too_slow',
  409: `svc_print_job_busy svc_print_job_not_failed svc_idempotency_key_running svc_category_title_taken
    svc_print_profile_is_master svc_user_interface_is_default`,
  412: 'svc_precondition_failed',
  413: 'svc_upload_too_large svc_print_file_too_large svc_list_too_large svc_body_too_large',
  415: 'svc_unsupported_media_type',
  422: `svc_upload_type_not_allowed svc_upload_type_mismatch svc_upload_rejected svc_print_file_url_refused
    svc_print_file_rejected svc_render_refused svc_idempotency_key_reused svc_pricing_rule_invalid svc_text_template_invalid`,
  500: 'svc_render_failed svc_unreadable_value svc_internal_error',
  501: 'svc_renderer_off',
  502: 'svc_print_file_unavailable svc_export_refused svc_print_provider_unavailable svc_storage_unavailable',
  503: `svc_export_not_configured svc_renderer_busy svc_print_downloads_busy svc_storage_not_configured svc_unavailable`,
  507: 'svc_storage_full',
}
const statusOf = Object.fromEntries(
  Object.entries(codesOf).flatMap(([status, codes]) =>
    codes.split(/\s+/).map((code) => [code, Number(status)] as const),
  ),
)

/** Reasons of errors that name none. */
const reasonOf = { svc_unavailable: 'database-unreachable', svc_storage_unavailable: 'storage-failed' }

t.test('SvcError: each code has its status, and a sentence', async (t) => {
  const codes = Object.keys(errorTable) as ErrorCode[]
  t.strictSame(codes.toSorted(), Object.keys(statusOf).sort())
  for (const code of codes) {
    const error = new SvcError(code)
    t.equal(error.statusCode, statusOf[code], code)
    t.match(error.message, /^[A-Z"`].+\.$|^[a-z_]+ .+\.$/, code)
    const data = Object.hasOwn(reasonOf, code) ? { reason: Reflect.get(reasonOf, code) } : {}
    t.strictSame([error.name, error.code, error.data, error.headers], ['SvcError', code, data, {}])
    t.strictSame([error.errors, error.error], [undefined, undefined])
  }
})

t.test('SvcError: an error keeps every detail that it is given', async (t) => {
  const details = {
    data: { limit: 5 },
    errors: ['one'],
    error: { reason: 'ink' },
    headers: { 'retry-after': '7' },
  }
  const cause = new Error('Because.')
  const error = new SvcError('svc_export_refused', { message: 'Refused.', cause, ...details })
  t.match(error, { ...details, message: 'Refused.', cause, statusCode: 502 })
})

t.test('SvcError: a default message names the requested id in at most 200 characters', async (t) => {
  const named = (id: string, message?: string) =>
    withRequestedId(new SvcError('svc_product_not_found', message ? { message } : {}), id).message
  t.equal(named('5'), 'No product with the id 5.')
  t.equal(named(''), 'No product with this id.')
  t.equal(named('5', 'Own words about this id.'), 'Own words about this id.')
  t.equal(named('x'.repeat(200)), `No product with the id ${'x'.repeat(200)}.`)
  t.equal(named('x'.repeat(201)), `No product with the id ${'x'.repeat(200)}….`)
})

t.test('invalid parameters are listed up to 1,000, spelled out up to 20, and counted beyond', async (t) => {
  const problems = (count: number) =>
    invalidParams(Object.fromEntries(Array.from({ length: count }, (_, i) => [`field${i}`, 'must be less'])))
  t.equal(invalidParams({ limit: 'must be 1' }).message, 'Invalid parameter(s): limit must be 1.')
  const [some, more, most] = [problems(20), problems(1000), problems(1001)]
  t.match(some.message, /field19 must be less\.$/)
  t.match(more.message, /; field19 must be less and 980 more\.$/)
  t.match(most.message, / and 981 more\.$/)
  t.equal(Object.keys(Object(more.data.params)).length, 1000)
  t.equal(Object.keys(Object(most.data.params)).length, 1000)
  t.strictSame([some.data.more, more.data.more, most.data.more], [undefined, undefined, 1])
})

t.test('SvcError: missing parameters and unknown references are named', async (t) => {
  t.match(missingParams(['title', 'type']), {
    message: 'Missing parameter(s): title, type.',
    data: { params: ['title', 'type'] },
  })
  const ids = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
  const message = (count: number) => unknownReferences('categories', 'categories', ids(count)).message
  t.match(message(20), /categories names categories that do not exist: 1, .*, 20\.$/)
  t.match(message(21), /, 20 and 1 more\.$/)
})

t.test('SvcError: values that cannot be read are named by their place', async (t) => {
  const place = { table: 'wp_views', row: 7, column: 'options' }
  t.match(unreadableValue(place), { statusCode: 500, data: place, message: /wp_views\.options of row 7/ })
  t.match(unmergeableValue(place), { statusCode: 409, data: place, message: /wp_views\.options of row 7/ })
})

t.test('SvcError: a refused scope is named in the challenge', async (t) => {
  t.match(insufficientScope('orders:read'), {
    message: 'This needs the scope orders:read, which was not granted.',
    data: { scope: 'orders:read' },
    headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="orders:read"' },
  })
})

t.test('SvcError: each 503 of the database says what happened and when to retry', async (t) => {
  const cause = new Error('Because.')
  const known = [
    [unavailable('database-unreachable', cause), 'The database cannot be reached; try again later.', '2'],
    [unavailable('busy', cause), 'The database is busy with other writers; try again later.', '2'],
    [
      unavailable('deadline', cause),
      'The request ran out of time before the database was done; try again later.',
      '2',
    ],
    [outcomeUnknown(cause), /^The database did not confirm the write/, '2'],
    [unavailable('database-full', cause), /^The database has no room for this write/, '60'],
    [unavailable('database-read-only', cause), /^The database takes no writes/, '5'],
    [unavailable('database-failed', cause), /^The database could not read or write a file/, '2'],
    [
      mixedEngines(['wp_a', 'wp_b'], cause),
      /ALTER TABLE wp_a ENGINE=InnoDB; ALTER TABLE wp_b ENGINE=InnoDB\.$/,
      '60',
    ],
  ] as const
  for (const [error, message, seconds] of known)
    t.match(error, { statusCode: 503, message, cause, headers: { 'retry-after': seconds } })
  for (const [error] of known) t.ok(Object.hasOwn(unavailableReasons, String(error.data.reason)))
  t.strictSame(outcomeUnknown().data, { reason: 'outcome-unknown', outcome: 'unknown' })
  t.strictSame(new SvcError('svc_unavailable').data, { reason: 'database-unreachable' })
})

t.test('SvcError: only lists that are too large are passed over', async (t) => {
  t.equal(unlessTooLarge(new SvcError('svc_list_too_large')), undefined)
  for (const other of [new SvcError('svc_body_too_large'), new Error('Other.')])
    t.throws(() => unlessTooLarge(other), other)
})

t.test('storageFull: 507 for a disk that is full or read-only, and nothing for other errors', async (t) => {
  const reasons = { ENOSPC: 'uploads-full', EDQUOT: 'uploads-full', EROFS: 'uploads-read-only' }
  for (const [code, reason] of Object.entries(reasons)) {
    const cause = Object.assign(new Error(`${code}: /srv/secret`), { code })
    const error = storageFull(cause)
    t.match(error, { statusCode: 507, code: 'svc_storage_full', data: { reason }, cause })
    t.notMatch(error?.message, /secret|\.\./)
  }
  for (const other of [{ code: 'ENOENT' }, { code: 'toString' }, new Error('x'), undefined])
    t.equal(storageFull(other), undefined)
})
