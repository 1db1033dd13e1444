// A print job as markup: its order, how it is made, how far it is, why it failed, and its buttons.
import type { NeededScope } from '../../src/core/scopes.ts'
import { type Html, html } from '../../src/pages/html.ts'
import { timeOf } from '../../src/pages/time.ts'
import type { JobView } from '../../src/print/job-overview.ts'
import { adviceFor, progressOf } from './advice.ts'
import type { FormMaker } from './desk.ts'
import { jobMark, orderLink, sourceNames, stateOf, typeIn } from './names.ts'

/** What the buttons of a job need. */
export interface JobForms {
  form: FormMaker
  /** The page to show after an action. */
  back: 'queue' | 'order'
  /** How much this process has drawn, by the ids of jobs. */
  drawn: ReadonlyMap<number, number>
}

/** The order of a job in words. */
function orderName({ order }: JobView): string {
  if (!order) return 'no order'
  const type = typeIn(order.type)
  const item = order.itemId > 0 ? `, item ${order.itemId}` : ''
  return `${type ? sourceNames[type] : order.type} ${order.orderId}${item}`
}

export function jobRow(job: JobView, forms: JobForms): Html {
  const { order, created_at, error, warnings, guid, how } = job
  const state = stateOf(job)
  const name =
    order && typeIn(order.type)
      ? html`<a href="${orderLink({ type: order.type, id: order.orderId })}">${orderName(job)}</a>`
      : html`${orderName(job)}`
  return html`
<li><div class="what"><p class="name">${name} ${jobMark(job)}</p>
<p class="remark">Job ${job.id}, ${timeOf(created_at)}${howWords(how)}</p>
${state === 'waiting' && progress(job, forms.drawn)}
${state === 'failed' && html`<p class="why">${error?.message ?? 'No reason was kept.'}</p><p class="remark">${adviceFor(job)}</p>`}
${state === 'waiting' && error && html`<p class="why">The last attempt failed: ${error.message}</p>`}
${warnings.length > 0 && html`<details><summary>${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}</summary><ul>${warnings.map((text) => html`<li>${text}</li>`)}</ul></details>`}</div>
<div class="acts">${state === 'ready' && job.file && html`<a class="button" href="file?job=${encodeURIComponent(guid)}" download>Download<span class="unseen"> the file of job ${job.id}</span></a>`}
${buttons(job, forms)}</div></li>`
}

function buttons(job: JobView, { form, back }: JobForms): Html | undefined {
  const state = stateOf(job)
  const button = (action: string, scope: NeededScope, words: string, look: string) =>
    form(
      scope,
      action,
      { job: job.guid, back },
      html`<button class="${look}">${words}<span class="unseen"> job ${job.id}</span></button>`,
    )
  if (state === 'waiting') return button('cancel', 'print_jobs:write', 'Cancel', 'danger')
  if (state === 'failed' && job.order)
    return button(
      'retry',
      'orders:write',
      /provider/.test(job.error?.code ?? '') ? 'Send again' : 'Make again',
      'main',
    )
  return undefined
}

function progress(job: JobView, drawn: JobForms['drawn']): Html {
  const { percent, words } = progressOf(job, drawn.get(job.id))
  return html`<p class="progress"><progress max="100" value="${percent}" aria-label="Progress of job ${job.id}"></progress> ${words}${percent > 0 && `, ${percent} %`}</p>`
}

function howWords({ output_format: format, dpi, color }: JobView['how']): string {
  const kind = typeof format === 'string' ? format.replace('svg-pdf', 'pdf').toUpperCase() : ''
  const density = typeof dpi === 'number' ? `${dpi} dpi` : ''
  const words = [kind, density, typeof color === 'string' ? color.toUpperCase() : '']
    .filter(Boolean)
    .join(', ')
  return words === '' ? '' : `, ${words}`
}
