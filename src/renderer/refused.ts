// A refused design as the error of a response.
import { SvcError } from '../core/errors.ts'
import { type Finding, sentenceOf } from './refusal.ts'

/** Maximum number of reasons in a refusal. */
const maxReported = 20

export function refusal(refusals: readonly Finding[]): SvcError {
  const sentences = refusals.map(sentenceOf)
  return new SvcError('svc_render_refused', {
    message: sentences[0] ?? 'The design cannot be drawn.',
    data: { refusals: refusals.slice(0, maxReported) },
    errors: sentences.slice(0, maxReported),
  })
}
