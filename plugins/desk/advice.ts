// Why a job failed in plain words, and what to do about it.
import type { JobView } from '../../src/print/job-overview.ts'

/** What to do, by the code of the error; the message of the job tells what happened. */
const advice: Record<string, string> = {
  svc_render_refused:
    'Open the order: it says what is wrong. Ask the customer for a corrected design, or choose another format; then make it again.',
  svc_render_failed:
    'Make it again. If it fails again, the design is too large or damaged: show this page to whoever runs the server.',
  svc_renderer_busy: 'Too much was waiting. Make it again in a minute.',
  svc_export_refused:
    'The export service did not accept the order. Read its reason, correct the order, and make it again.',
  svc_print_file_unavailable: 'The finished file could not be fetched. Make it again.',
  svc_print_file_rejected: 'The export service sent a file that is no print file. Make it again.',
  svc_print_file_too_large:
    'The file is larger than this installation takes. Choose a lower resolution, or have the limit raised.',
  svc_print_file_url_refused:
    'The export service named an address that must not be fetched. Show this page to whoever runs the server.',
  svc_print_provider_not_configured:
    'Enter the token of the print provider in the settings, then send it again.',
  svc_print_provider_refused:
    'Correct in the order what the provider names, or change or empty the product number on the page of the order; then send it again.',
  svc_print_provider_unavailable: 'The print provider did not respond. Send it again later.',
  svc_print_job_invalid: 'Make the file again from the page of the order.',
  svc_print_job_cancelled: 'Make it again if it was cancelled by mistake.',
  svc_storage_unavailable:
    'The file storage did not respond. Check it on the status page of the settings, then make it again.',
  svc_storage_not_configured: 'Set up the file storage in the settings, then make it again.',
  svc_unavailable: 'Something was not reachable for a moment. Make it again.',
}

/** What to do about refusals of the renderer, by what their sentences say. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [/ is not uploaded\.$/, 'Open the order and upload the font there; then make it again.'],
  [
    /The file (?:is not in|could not be read from) the storage\.$|could not be fetched|The file measures /,
    'Open the order and upload the picture there, or ask the customer for it; then make it again.',
  ],
  [/megapixels are drawn/, 'Choose a lower resolution, or PDF; then make it again.'],
]

/** Whether something has to be set up first. */
export const isAboutSettings = ({ error }: JobView): boolean =>
  /_not_configured$|^svc_storage_unavailable$/.test(error?.code ?? '')

export const adviceFor = ({ error }: JobView): string =>
  refusals.find(([says]) => error?.code === 'svc_render_refused' && says.test(error.message))?.[1] ??
  advice[error?.code ?? ''] ??
  'Make it again. If it fails again, show this page to whoever runs the server.'

/**
 * How far a job is, in percent.
 * @param drawn what this process has drawn of it, from 0 to 1; undefined if another one draws it
 */
export function progressOf(
  { status, step, isHeld, how }: JobView,
  drawn = 0,
): { percent: number; words: string } {
  if (status === 'completed') return { percent: 100, words: 'Done' }
  if (step === 'ordering' || step === 'ordered' || step === 'stored')
    return { percent: 90, words: 'Being sent on' }
  if (step === 'downloaded') return { percent: 80, words: 'Being stored' }
  if (isHeld) return { percent: Math.round(5 + 70 * drawn), words: 'Being drawn' }
  return {
    percent: 0,
    words: how.export_method === 'renderer' ? 'Waits for its turn' : 'Waits for the export service',
  }
}
