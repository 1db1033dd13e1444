// A print job as markup: its order, how it is made, how far it is, why it failed, and its buttons.
import type { FastifyRequest } from 'fastify'
import type { NeededScope } from '../../src/core/scopes.ts'
import { type OrderWords, orderWords } from '../../src/orders/listed-names.ts'
import { type Html, html } from '../../src/pages/html.ts'
import { timeOf } from '../../src/pages/parts.ts'
import type { JobView } from '../../src/print/job-overview.ts'
import type { OrderOfJob } from '../../src/print/print-job-json.ts'
import { adviceFor, isAboutSettings, progressOf } from './advice.ts'
import type { Desk, FormMaker } from './desk.ts'
import { jobMark, orderLink, stateOf, typeIn } from './names.ts'

/** What the buttons of a job need. */
export interface JobForms {
  form: FormMaker
  /** The page to show after an action. */
  back: 'queue' | 'order'
  /** How much this process has drawn, by the ids of jobs. */
  drawn: ReadonlyMap<number, number>
  wordsOf: (order: OrderOfJob) => OrderWords
  /** A link to the settings. */
  settings: Html | undefined
}

/** What the buttons of these jobs need; customers and products are named for those who may see orders. */
export async function jobForms(
  { may, orders, settings, context }: Desk,
  request: FastifyRequest,
  form: FormMaker,
  { back, jobs }: { back: JobForms['back']; jobs: readonly JobView[] },
): Promise<JobForms> {
  const named = may(request, 'orders:read') ? jobs.map(({ order }) => order) : []
  const wordsOf = await orderWords(orders, named)
  return { form, back, wordsOf, settings, drawn: context.exporter.drawing }
}

export const jobList = (jobs: readonly JobView[], forms: JobForms, none: string): Html =>
  jobs.length === 0
    ? html`<p class="remark">${none}</p>`
    : html`<ul class="jobs">${jobs.map((job) => jobRow(job, forms))}</ul>`

function jobRow(job: JobView, forms: JobForms): Html {
  const { order, created_at, error, warnings, guid, how } = job
  const state = stateOf(job)
  const words = order && forms.wordsOf(order)
  // The page of an order says already which it is.
  const isOnOrder = forms.back === 'order'
  const title = words ? [words.order, words.item].filter(Boolean).join(', ') : 'No order'
  const link =
    order && typeIn(order.type)
      ? html`<a href="${orderLink({ type: order.type, id: order.orderId })}">${title}</a>`
      : html`${title}`
  const name = isOnOrder ? html`${words?.item || 'Print file'}` : link
  const customer = isOnOrder || !words?.customer ? '' : `${words.customer}, `
  return html`
<li><div class="what"><p class="name">${name} ${jobMark(job)}</p>
<p class="remark">${customer}job ${job.id}, ${timeOf(created_at)}${howWords(how)}</p>
${state === 'waiting' && progress(job, forms.drawn)}
${state === 'failed' && html`<p class="why">${error?.message ?? 'No reason was kept.'}</p><p class="remark">${adviceFor(job)} ${isAboutSettings(job) && forms.settings}</p>`}
${state === 'waiting' && error && html`<p class="why">The last attempt failed: ${error.message}</p>`}
${warnings.length > 0 && html`<details><summary>${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}</summary><ul>${warnings.map((text) => html`<li>${text}</li>`)}</ul></details>`}</div>
<div class="acts">${state === 'ready' && job.file && html`<a class="button" href="file?job=${encodeURIComponent(guid)}" download>Download<span class="unseen"> the file of job ${job.id}</span></a>`}
${buttons(job, forms)}</div></li>`
}

function buttons(job: JobView, { form, back }: JobForms): Html | undefined {
  const state = stateOf(job)
  const button = (action: string, scope: NeededScope, words: string, look = '') =>
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
