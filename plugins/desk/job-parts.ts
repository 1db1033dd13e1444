// A print job as markup: its order, how it is made, how far it is, why it failed and what to do about it, and its buttons.
import type { FastifyRequest } from 'fastify'
import { type Html, html, timeOf } from '../../src/core/html.ts'
import type { NeededScope } from '../../src/core/scopes.ts'
import { type OrderTexts, orderTexts } from '../../src/orders/listed-names.ts'
import { orderLink } from '../../src/orders/ticket-page.ts'
import type { DeliveryView } from '../../src/print/delivery-queue.ts'
import { rendererMethod } from '../../src/print/export-request.ts'
import type { OrderOfJob } from '../../src/print/job-data.ts'
import type { JobView } from '../../src/print/job-overview.ts'
import { sentenceOf } from '../../src/renderer/refusal.ts'
import type { Desk, FormMaker } from './desk.ts'
import { typeIn } from './drawn.ts'
import { findingRows, type ShownFinding } from './finding-parts.ts'
import { fileStateOf, jobMark } from './job-state.ts'

/** What a list of jobs shows beside them, and what its buttons need. */
export interface JobForms {
  form: FormMaker
  /** The page to show after an action. */
  back: 'queue' | 'order'
  /** How much this process has drawn, by the ids of jobs. */
  drawn: ReadonlyMap<number, number>
  /** Whether this host hands orders to an export service. */
  hasService: boolean
  textsOf: (order: OrderOfJob) => OrderTexts
  /** Copies of files for the press, by the ids of jobs. */
  deliveries: ReadonlyMap<number, DeliveryView>
  /** The time zone of all times. */
  timeZone: string
  /** A link to the settings. */
  settings: Html | undefined
}

/** Reads what a list of these jobs shows; customers and products are named for those who may see orders. */
export async function jobForms(
  { may, orders, settings, context, ...desk }: Desk,
  request: FastifyRequest,
  form: FormMaker,
  { back, jobs }: { back: JobForms['back']; jobs: readonly JobView[] },
): Promise<JobForms> {
  const named = may(request, 'orders:read') ? jobs.map(({ order }) => order) : []
  const [textsOf, timeZone, deliveries = new Map()] = await Promise.all([
    orderTexts(orders, named),
    desk.timeZone(),
    context.deliveries?.byJobs(jobs.map(({ id }) => id)),
  ])
  const { drawing: drawn, hasService } = context.exporter
  return { form, back, textsOf, deliveries, timeZone, settings, drawn, hasService }
}

/** The jobs as a list. @param none text of the page if there are none */
export const jobList = (jobs: readonly JobView[], forms: JobForms, none: string): Html =>
  jobs.length === 0
    ? html`<p class="remark">${none}</p>`
    : html`<ul class="jobs">${jobs.map((job) => jobRow(job, forms))}</ul>`

function jobRow(job: JobView, forms: JobForms): Html {
  const { order, created_at, error, guid, exportSettings } = job
  const findings = findingsOf(job)
  const state = fileStateOf(job)
  const texts = order && forms.textsOf(order)
  // The page of an order shows the order above.
  const isOnOrder = forms.back === 'order'
  const title = texts ? [texts.order, texts.item].filter(Boolean).join(', ') : 'No order'
  const link =
    order && typeIn(order.type)
      ? html`<a href="${orderLink({ type: order.type, id: order.orderId, item: order.itemId })}">${title}</a>`
      : html`${title}`
  const name = isOnOrder ? html`${texts?.item || 'Print file'}` : link
  const customer = isOnOrder || !texts?.customer ? '' : `${texts.customer}, `
  return html`
<li><div class="what"><p class="name">${name} ${jobMark(job)}</p>
<p class="remark">${customer}job ${job.id}, ${timeOf(created_at, forms.timeZone)}${formatText(exportSettings)}</p>
${state === 'waiting' && progress(job, forms)}
${state === 'failed' && html`<p class="why">${error?.message ?? 'No reason was stored.'}</p><p class="remark">${adviceFor(job)} ${isAboutSettings(job) && forms.settings}</p>`}
${state === 'waiting' && error && html`<p class="why">The last attempt failed: ${error.message}</p>`}
${deliveryWords(forms.deliveries.get(job.id))}
${findings.length > 0 && html`<details><summary>${findings.length} ${findings.length === 1 ? 'warning' : 'warnings'}</summary>${findingRows(findings)}</details>`}</div>
<div class="acts">${state === 'ready' && job.file && html`<a class="button" href="file?job=${encodeURIComponent(guid)}" download>Download<span class="unseen"> the file of job ${job.id}</span></a>`}
${buttons(job, forms)}</div></li>`
}

/** What was found when the job was drawn; notes of a print provider are sentences alone. */
function findingsOf({ preflight, warnings }: JobView): ShownFinding[] {
  // Only the renderer of this API writes them, in this shape.
  const findings = preflight as unknown as ShownFinding[]
  // A warning repeats each finding as a sentence.
  const sentences = new Set(findings.map(sentenceOf))
  const notes = warnings.filter((text) => !sentences.has(text))
  const plain = { level: 'warning', code: '', view: null, element: null } as const
  return [...findings, ...notes.map((message) => ({ ...plain, message }))]
}

/** The one button that the state of a job calls for; undefined if there is none, or the visitor may not press it. */
function buttons(job: JobView, { form, back, deliveries }: JobForms): Html | undefined {
  const state = fileStateOf(job)
  const { attempts = 0, state: delivery } = deliveries.get(job.id) ?? {}
  const button = (action: string, scope: NeededScope, words: string, className = '') =>
    form(
      scope,
      action,
      { job: job.guid, back },
      html`<button class="${className}">${words}<span class="unseen"> job ${job.id}</span></button>`,
    )
  if (state === 'waiting') return button('cancel', 'print_jobs:write', 'Cancel', 'danger')
  if (attempts > 0 && delivery !== 'delivered') return button('deliver', 'print_jobs:write', 'Deliver again')
  if (state === 'failed' && job.order)
    return button('retry', 'orders:write', /provider/.test(job.error?.code ?? '') ? 'Send again' : 'Retry')
  return undefined
}

/** Where a copy of the file lies, or why it does not lie there yet. */
function deliveryWords(delivery: DeliveryView | undefined): Html | undefined {
  if (!delivery) return undefined
  const { state, path, attempts, error } = delivery
  if (state === 'delivered') return html`<p class="remark">Delivered as ${path}</p>`
  if (state === 'failed') return html`<p class="why">Not delivered: ${error}</p>`
  if (attempts === 0) return html`<p class="remark">Being delivered</p>`
  return html`<p class="why">Not delivered yet, will be retried: ${error}</p>`
}

function progress(job: JobView, { drawn, hasService }: JobForms): Html {
  const { percent, words } = progressOf(job, { hasService, drawn: drawn.get(job.id) })
  return html`<p class="progress"><progress max="100" value="${percent}" aria-label="Progress of job ${job.id}"></progress> ${words}${percent > 0 && `, ${percent} %`}</p>`
}

/** Format, resolution and colors of the file, after a comma; '' if none is stored. */
function formatText({ output_format: format, dpi, color }: JobView['exportSettings']): string {
  const kind = typeof format === 'string' ? format.replace('svg-pdf', 'pdf').toUpperCase() : ''
  const density = typeof dpi === 'number' ? `${dpi} dpi` : ''
  const text = [kind, density, typeof color === 'string' ? color.toUpperCase() : '']
    .filter(Boolean)
    .join(', ')
  return text === '' ? '' : `, ${text}`
}

/** Advice by the code of the error; the message of the job says what happened. */
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

/** Advice about refusals of the renderer, by the code of the first finding. */
const refusalAdvice: Partial<Record<string, string>> = {
  font: 'Open the order and upload the font there, or ask the administrator to install the package that is named; then retry.',
  picture: 'Open the order and upload the picture there, or ask the customer for it; then retry.',
  limit:
    'Choose a lower resolution, or PDF; if that does not help, ask the customer for a simpler design. Then retry.',
}

/** Whether something has to be set up first. */
const isAboutSettings = ({ error }: JobView): boolean =>
  /_not_configured$|^svc_storage_unavailable$/.test(error?.code ?? '')

const adviceFor = ({ error, refusals }: JobView): string =>
  refusalAdvice[refusals[0] ?? ''] ??
  advice[error?.code ?? ''] ??
  'Retry. If it fails again, show this page to the administrator of the server.'

/**
 * How far a job that waits is, in percent.
 * @param drawn what this process has drawn of it, from 0 to 1; undefined if another one draws it
 */
function progressOf(
  { step, isRunning, exportSettings }: JobView,
  { drawn = 0, hasService }: { drawn: number | undefined; hasService: boolean },
): { percent: number; words: string } {
  if (step === 'ordering' || step === 'ordered' || step === 'stored')
    return { percent: 90, words: 'Being completed' }
  if (step === 'downloaded') return { percent: 80, words: 'Being stored' }
  if (isRunning) return { percent: Math.round(5 + 70 * drawn), words: 'Being drawn' }
  if (exportSettings.export_method === rendererMethod) return { percent: 0, words: 'Waiting for its turn' }
  const words = hasService
    ? 'Waiting for the export service'
    : 'Waiting for a file from outside: this host has no export service. If none comes, cancel it, then retry'
  return { percent: 0, words }
}
