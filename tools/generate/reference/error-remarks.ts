// What a code's default message does not say: its causes, and what to do. Codes that are not here need no more words.
import { fullReasons, storageReasons, unavailableReasons } from '../../../src/core/unavailable-reasons.ts'

const reasonList = (reasons: Readonly<Record<string, string>>) =>
  Object.entries(reasons)
    .map(([reason, meaning]) => `- \`${reason}\`: ${meaning}`)
    .join('\n')

export const errorRemarks: Readonly<Record<string, string>> = {
  rest_no_route: 'Unknown path or method, a group that is switched off, or an invalid id in the path.',
  rest_invalid_json: 'The body is not JSON, or not JSON that can be stored exactly as sent.',
  rest_missing_callback_param: 'A required property is missing; `data.params` lists it.',
  rest_invalid_param:
    'An invalid value, an unknown property or a dangling reference; `data.params` gives the reason.',
  svc_unauthorized: 'No token in the form `Authorization: Bearer <token>`.',
  svc_forbidden:
    'Invalid token, or one that was revoked or has expired; also a login that your `authenticate` refuses, and its write from a page of another site.',
  svc_insufficient_scope:
    'The operation is outside the scopes of the token or login; `data.scope` and `WWW-Authenticate` name the missing one.',
  svc_category_title_taken:
    'Another category has this title, compared without case; `data.id` identifies it.',
  svc_text_template_not_found: 'No template at this index.',
  svc_text_template_invalid: 'A font that the shop does not offer; `errors` lists all problems.',
  svc_color_library_invalid: '`errors` lists all problems; nothing was written.',
  svc_settings_group_not_found: 'No tab and no section has this slug.',
  svc_design_category_cycle: 'The category would become its own ancestor.',
  svc_pricing_rule_invalid: 'A property of `data` has a value outside its range; `errors` lists all of them.',
  svc_print_profile_not_found: 'Also for `master` when there is none.',
  svc_print_profile_is_master: 'Clear the master status before you delete the profile.',
  svc_user_interface_is_default:
    'Make another layout the default before you delete this one or clear its status.',
  svc_upload_too_slow: 'The upload was not received in time.',
  svc_upload_too_large: 'The file exceeds the upload limit; `data.limit` is that limit in bytes.',
  svc_upload_type_not_allowed:
    'The file name has no extension of a PNG, JPEG, SVG or PDF; for a font, not `.ttf`.',
  svc_upload_type_mismatch: 'The content does not match the file name.',
  svc_upload_rejected: 'The file did not pass the checks; `message` gives the reason.',
  svc_order_type_unavailable:
    '`type` is not one of `wc`, `shortcode`, `sc`, `gf`, or its tables do not exist.',
  svc_order_data_not_found: 'No such order, or no customization data in it.',
  svc_order_item_not_found: 'The `item_id` does not belong to this order.',
  svc_print_job_busy:
    'Another notification, or another job of the same order, is being processed; see `Retry-After`.',
  svc_webhook_signature_invalid:
    'A secret is set, and the signature of the notification is missing or invalid.',
  svc_print_file_url_refused: '`file_url` has a form, port or host that is never downloaded from.',
  svc_print_file_unavailable: 'The print file could not be downloaded, for whatever reason.',
  svc_print_file_too_large: 'The print file exceeds `printReady.maxBytes`.',
  svc_print_file_rejected: 'The print file is not a PDF, ZIP, PNG, JPEG or SVG.',
  svc_print_provider_unavailable: 'The print provider could not be reached.',
  svc_print_downloads_busy: 'Too many print files are being downloaded.',
  svc_storage_not_configured:
    'The option `uploads` is not set, or the chosen storage lacks a setting or its package; `message` says which.',
  svc_storage_unavailable: `A file that was not stored completely is not listed. \`data.reason\` says what happened:

${reasonList(storageReasons)}`,
  svc_export_refused:
    'The export service refused the request; `message` and the property `error` contain its diagnosis.',
  svc_export_not_configured: 'Neither the option `renderer` nor `exportService` is set.',
  svc_render_refused:
    'The design contains what cannot be drawn exactly; the message names view, element and cause, `errors` all of them, and the print job keeps the message.',
  svc_render_failed:
    'The renderer crashed or took too long; in the error of a print job, and as response of previews.',
  svc_renderer_busy: 'More designs are waiting than the option `renderer.waiting` allows.',
  svc_renderer_off: 'A preview was requested, but the option `renderer` is not set.',
  svc_precondition_failed: 'The resource has changed since the version named in `If-Match`.',
  svc_list_too_large:
    'The stored values of the selected rows exceed 64 MiB: request fewer rows or use `fields`.',
  svc_body_too_large: "The body exceeds its limit, or a value exceeds the database's `max_allowed_packet`.",
  svc_unsupported_media_type: 'A body that is not `application/json`; for uploads, not a form.',
  svc_idempotency_key_running:
    'The first request with this `Idempotency-Key` is still running; see `Retry-After`.',
  svc_idempotency_key_reused: 'This `Idempotency-Key` was used for a different request.',
  svc_unreadable_value:
    'A stored value cannot be read; `data` names table, row and column. 409 if `options` were to be merged into it; `?merge=false` replaces it.',
  svc_print_provider_not_configured:
    "The job has a provider's variation, and neither the option `printProvider` nor the setting `svc_printful_api_key` is set.",
  svc_print_provider_refused: 'The print provider refused the order; `message` gives its reason.',
  svc_print_job_invalid: 'The details of the print job name no order.',
  svc_print_job_cancelled: 'Somebody cancelled the print job on the desk.',
  svc_internal_error: 'An unexpected error; the log contains it under `data.request_id`.',
  svc_unavailable: `It passes by itself in most cases; see \`Retry-After\`. \`data.reason\` says what happened, and the message what to do:

${reasonList(unavailableReasons)}`,
  svc_storage_full: `Nothing was stored. \`data.reason\` says why:

${reasonList(fullReasons)}`,
}
