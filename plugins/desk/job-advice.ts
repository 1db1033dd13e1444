// What to do about a print job that failed. The message of its error says what happened.
import type { JobView } from '../../src/print/job-overview.ts'

/** Advice by the code of the error. */
const advice: Record<string, string> = {
  svc_render_refused:
    'Open the order: it says what is wrong. Ask the customer for a corrected design, or choose another format; then retry.',
  svc_render_failed:
    'Retry. If it fails again, the design is too large or damaged: show this page to the administrator of the server.',
  svc_renderer_busy: 'Too many jobs were waiting. Retry in a minute.',
  svc_export_refused:
    'The export service did not accept the order. Read its reason, correct the order, and retry.',
  svc_print_file_unavailable: 'The finished file could not be fetched. Retry.',
  svc_print_file_rejected: 'The export service sent a file that is no print file. Retry.',
  svc_print_file_too_large:
    'The file is larger than this installation takes. Choose a lower resolution, or have the limit raised.',
  svc_print_file_url_refused:
    'The export service named an address that must not be fetched. Show this page to the administrator of the server.',
  svc_print_provider_not_configured:
    'Enter the token of the print provider in the settings, then send it again.',
  svc_print_provider_refused:
    'Correct in the order what the provider names, or change or empty the product number on the page of the order; then send it again.',
  svc_print_provider_unavailable: 'The print provider did not respond. Send it again later.',
  svc_print_job_invalid: 'Open the order, and make a new print file.',
  svc_print_job_cancelled: 'Retry if it was cancelled by mistake.',
  svc_storage_unavailable:
    'The file storage did not respond. Check it on the status page of the settings, then retry.',
  svc_storage_not_configured: 'Set up the file storage in the settings, then retry.',
  svc_unavailable: 'The database did not respond. Retry.',
}

/** Advice about refusals of the renderer, by the code of the first finding; it precedes that of `advice`. */
const refusalAdvice: Partial<Record<string, string>> = {
  font: 'Open the order and upload the font there, or ask the administrator to install the package that is named; then retry.',
  picture: 'Open the order and upload the picture there, or ask the customer for it; then retry.',
  limit:
    'Choose a lower resolution, or PDF; if that does not help, ask the customer for a simpler design. Then retry.',
}

/** Whether the advice leads to the settings, so that a link to them helps. */
export const isAboutSettings = ({ error }: JobView): boolean =>
  /_not_configured$|^svc_storage_unavailable$/.test(error?.code ?? '')

/** The advice for a job that failed. */
export const adviceFor = ({ error, refusals }: JobView): string =>
  refusalAdvice[refusals[0] ?? ''] ??
  advice[error?.code ?? ''] ??
  'Retry. If it fails again, show this page to the administrator of the server.'
