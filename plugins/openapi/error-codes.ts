// Which error codes an operation can respond with.
import type { ErrorCode } from '../../src/core/errors.ts'
import type { Operation } from '../../src/http/operations.ts'

/** Groups whose stored values can always be read. */
const neverUnreadable = new Set(['system', 'categories', 'assets', 'print-ready'])

/** Codes that single operations add to those that follow from their form. */
const own: Record<string, readonly ErrorCode[]> = {
  create_product: ['svc_product_not_found'],
  list_product_views: ['svc_product_not_found'],
  add_product_view: ['svc_product_not_found'],
  create_category: ['svc_category_title_taken'],
  update_category: ['svc_category_title_taken'],
  clear_category: ['svc_category_not_found'],
  duplicate_view: ['svc_view_not_found'],
  create_design_category: ['svc_design_category_cycle'],
  update_design_category: ['svc_design_category_cycle'],
  create_pricing_rule: ['svc_pricing_rule_invalid'],
  update_pricing_rule: ['svc_pricing_rule_invalid'],
  delete_print_profile: ['svc_print_profile_is_master'],
  duplicate_print_profile: ['svc_print_profile_not_found'],
  set_print_profile_master: ['svc_print_profile_not_found'],
  update_user_interface: ['svc_user_interface_is_default'],
  delete_user_interface: ['svc_user_interface_is_default'],
  create_text_template: ['svc_text_template_invalid'],
  update_text_template: ['svc_text_template_invalid'],
  replace_text_templates: ['svc_text_template_invalid'],
  get_color_library_usages: ['svc_color_not_found', 'svc_palette_not_found'],
  save_color_library: ['svc_color_library_invalid'],
  list_orders: ['svc_order_type_unavailable'],
  update_order: ['svc_order_item_not_found', 'svc_order_type_unavailable'],
  delete_order: ['svc_order_item_not_found', 'svc_order_type_unavailable'],
  get_order: ['svc_order_item_not_found', 'svc_order_type_unavailable'],
  export_order: [
    'svc_order_data_not_found',
    'svc_order_item_not_found',
    'svc_order_type_unavailable',
    'svc_print_job_not_found',
    'svc_print_job_busy',
    'svc_export_refused',
    'svc_export_not_configured',
    'svc_render_refused',
    'svc_renderer_busy',
  ],
  get_product_preview: [...previewCodes(), 'svc_view_not_found'],
  get_view_preview: previewCodes(),
  get_order_preview: [
    ...previewCodes(),
    'svc_order_item_not_found',
    'svc_order_type_unavailable',
    'rest_missing_callback_param',
  ],
  upload_asset: [...uploadCodes(), 'svc_storage_unavailable'],
  upload_font: uploadCodes(),
  delete_asset: ['svc_storage_unavailable'],
  delete_print_job: ['svc_storage_not_configured', 'svc_storage_unavailable'],
  ...Object.fromEntries(
    ['announce_print_file', 'put_print_file', 'patch_print_file'].map((id) => [id, notificationCodes()]),
  ),
}

function previewCodes(): readonly ErrorCode[] {
  return ['svc_render_refused', 'svc_render_failed', 'svc_renderer_busy', 'svc_renderer_off']
}

function uploadCodes(): readonly ErrorCode[] {
  return [
    'svc_upload_too_slow',
    'svc_upload_too_large',
    'svc_upload_type_not_allowed',
    'svc_upload_type_mismatch',
    'svc_upload_rejected',
  ]
}

function notificationCodes(): readonly ErrorCode[] {
  return [
    'svc_print_job_not_found',
    'svc_print_job_busy',
    'svc_webhook_signature_invalid',
    'svc_print_file_url_refused',
    'svc_print_file_unavailable',
    'svc_print_file_too_large',
    'svc_print_file_rejected',
    'svc_print_provider_unavailable',
    'svc_print_downloads_busy',
    'svc_storage_not_configured',
    'svc_storage_unavailable',
  ]
}

/** 404 of operations whose path names one resource, by tag. */
const notFound: Record<string, ErrorCode> = {
  products: 'svc_product_not_found',
  views: 'svc_view_not_found',
  categories: 'svc_category_not_found',
  'design-categories': 'svc_design_category_not_found',
  'pricing-rules': 'svc_pricing_rule_not_found',
  'print-profiles': 'svc_print_profile_not_found',
  'user-interfaces': 'svc_user_interface_not_found',
  'text-templates': 'svc_text_template_not_found',
  settings: 'svc_settings_group_not_found',
  assets: 'svc_asset_not_found',
  fonts: 'svc_font_not_found',
  orders: 'svc_order_data_not_found',
  'shortcode-orders': 'svc_shortcode_order_not_found',
  'print-jobs': 'svc_print_job_not_found',
}

/** In the order of their statuses; each once. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  const { id, tag, method, path, body, headers, isOpen, toggle, params, query } = operation
  const codes: ErrorCode[] = ['svc_internal_error', 'svc_unavailable']
  if (!isOpen) codes.push('svc_unauthorized', 'svc_forbidden', 'svc_insufficient_scope')
  if (toggle !== undefined || params) codes.push('rest_no_route')
  if (body || query || !isOpen) codes.push('rest_invalid_param')
  if (body || query?.required?.length) codes.push('rest_missing_callback_param')
  // A body is read and refused where none is expected, too.
  if (method !== 'GET')
    codes.push('svc_body_too_large', 'svc_body_too_slow', 'svc_unsupported_media_type', 'rest_invalid_json')
  const missing = notFound[tag]
  if (missing && params && path.includes('}')) codes.push(missing)
  if (headers.properties['if-match']) codes.push('svc_precondition_failed')
  if (headers.properties['idempotency-key'])
    codes.push('svc_idempotency_key_running', 'svc_idempotency_key_reused')
  if (query?.properties.include_views || (method === 'GET' && query?.properties.limit))
    codes.push('svc_list_too_large')
  if (!neverUnreadable.has(tag)) codes.push('svc_unreadable_value')
  if (tag === 'assets' || tag === 'fonts') codes.push('svc_storage_not_configured')
  codes.push(...(own[id] ?? []))
  return [...new Set(codes)]
}
