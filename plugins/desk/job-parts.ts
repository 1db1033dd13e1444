// Lists of print jobs, on the page of the queue and on that of an order: what each job prints, how far it is, why it failed, and its
// button.
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
import { typeIn } from './design-ref.ts'
import type { Desk, FormMaker } from './desk.ts'
import { findingRows, type ShownFinding } from './finding-parts.ts'
import { adviceFor, isAboutSettings } from './job-advice.ts'
import { fileStateOf, jobBadge } from './job-state.ts'

/** What a list of jobs needs besides the jobs; `jobListParts` reads it for all of them at once. */
export interface JobListParts {
  /** Makes the forms of the buttons. */
  form: FormMaker
  /** The page that shows the list, and that is shown again after a button. */
  back: 'queue' | 'order'
  /** How much this process has drawn of the jobs that it draws, from 0 to 1, by their ids. */
  drawn: ReadonlyMap<number, number>
  /** Whether this host sends orders to an export service. */
  hasService: boolean
  /** Names of order, item and customer; only source and ids for visitors who may not see orders. */
  textsOf: (order: OrderOfJob) => OrderTexts
  /** Deliveries of copies to the folder of the press, by the ids of jobs; empty where the host has none. */
  deliveries: ReadonlyMap<number, DeliveryView>
  /** The time zone of all times. */
  timeZone: string
  /** A link to the settings; undefined if the host has none. */
  settingsLink: Html | undefined
}

/** Reads what a list of these jobs needs, in one go for all of them. */
export async function jobListParts(
  { may, orders, settingsLink, context, ...desk }: Desk,
  request: FastifyRequest,
  form: FormMaker,
  { back, jobs }: { back: JobListParts['back']; jobs: readonly JobView[] },
): Promise<JobListParts> {
  const namedOrders = may(request, 'orders:read') ? jobs.map(({ order }) => order) : []
  const [textsOf, timeZone, deliveries = new Map()] = await Promise.all([
    orderTexts(orders, namedOrders),
    desk.timeZone(),
    context.deliveries?.byJobs(jobs.map(({ id }) => id)),
  ])
  const { drawing: drawn, hasService } = context.exporter
  return { form, back, textsOf, deliveries, timeZone, settingsLink, drawn, hasService }
}

/** The jobs as a list. @param none text where there are none */
export const jobList = (jobs: readonly JobView[], parts: JobListParts, none: string): Html =>
  jobs.length === 0
    ? html`<p class="remark">${none}</p>`
    : html`<ul class="jobs">${jobs.map((job) => jobRow(job, parts))}</ul>`

function jobRow(job: JobView, parts: JobListParts): Html {
  const { order, created_at, error, guid, exportSettings } = job
  const findings = findingsOfJob(job)
  const state = fileStateOf(job)
  const texts = order && parts.textsOf(order)
  // The page of an order names the order and its customer above the list.
  const isOnOrder = parts.back === 'order'
  const title = texts ? [texts.order, texts.item].filter(Boolean).join(', ') : 'No order'
  const link =
    order && typeIn(order.type)
      ? html`<a href="${orderLink({ type: order.type, id: order.orderId, item: order.itemId })}">${title}</a>`
      : html`${title}`
  const name = isOnOrder ? html`${texts?.item || 'Print file'}` : link
  const customer = isOnOrder || !texts?.customer ? '' : `${texts.customer}, `
  return html`
<li><div class="what"><p class="name">${name} ${jobBadge(job)}</p>
<p class="remark">${customer}job ${job.id}, ${timeOf(created_at, parts.timeZone)}${formatText(exportSettings)}</p>
${state === 'waiting' && progress(job, parts)}
${state === 'failed' && html`<p class="why">${error?.message ?? 'No reason was stored.'}</p><p class="remark">${adviceFor(job)} ${isAboutSettings(job) && parts.settingsLink}</p>`}
${state === 'waiting' && error && html`<p class="why">The last attempt failed: ${error.message}</p>`}
${deliveryText(parts.deliveries.get(job.id))}
${findings.length > 0 && html`<details><summary>${findings.length} ${findings.length === 1 ? 'warning' : 'warnings'}</summary>${findingRows(findings)}</details>`}</div>
<div class="acts">${state === 'ready' && job.file && html`<a class="button" href="file?job=${encodeURIComponent(guid)}" download>Download<span class="unseen"> the file of job ${job.id}</span></a>`}
${jobButton(job, parts)}</div></li>`
}

/** What the renderer found when it drew the job, and the other warnings of the job, such as those of a print provider. */
function findingsOfJob({ preflight, warnings }: JobView): ShownFinding[] {
  // Only the renderer of this API writes `preflight`, in this shape.
  const findings = preflight as unknown as ShownFinding[]
  // Warnings repeat each finding as a sentence.
  const sentences = new Set(findings.map(sentenceOf))
  const notes = warnings.filter((text) => !sentences.has(text))
  const plain = { level: 'warning', code: '', view: null, element: null } as const
  return [...findings, ...notes.map((message) => ({ ...plain, message }))]
}

/** Cancel, Deliver again or Retry, as the state of the job allows; undefined if it allows none, or the visitor may not press it. */
function jobButton(job: JobView, { form, back, deliveries }: JobListParts): Html | undefined {
  const state = fileStateOf(job)
  const { attempts = 0, state: delivery } = deliveries.get(job.id) ?? {}
  const button = (action: string, scope: NeededScope, label: string, className = '') =>
    form(
      scope,
      action,
      { job: job.guid, back },
      html`<button class="${className}">${label}<span class="unseen"> job ${job.id}</span></button>`,
    )
  if (state === 'waiting') return button('cancel', 'print_jobs:write', 'Cancel', 'danger')
  if (attempts > 0 && delivery !== 'delivered') return button('deliver', 'print_jobs:write', 'Deliver again')
  if (state === 'failed' && job.order)
    return button('retry', 'orders:write', /provider/.test(job.error?.code ?? '') ? 'Send again' : 'Retry')
  return undefined
}

/** Where the copy for the press was stored, or why it is not stored yet; nothing without a delivery. */
function deliveryText(delivery: DeliveryView | undefined): Html | undefined {
  if (!delivery) return undefined
  const { state, path, attempts, error } = delivery
  if (state === 'delivered') return html`<p class="remark">Delivered as ${path}</p>`
  if (state === 'failed') return html`<p class="why">Not delivered: ${error}</p>`
  if (attempts === 0) return html`<p class="remark">Being delivered</p>`
  return html`<p class="why">Not delivered yet, will be retried: ${error}</p>`
}

function progress(job: JobView, { drawn, hasService }: JobListParts): Html {
  const { percent, text } = progressOf(job, { hasService, drawn: drawn.get(job.id) })
  return html`<p class="progress"><progress max="100" value="${percent}" aria-label="Progress of job ${job.id}"></progress> ${text}${percent > 0 && `, ${percent} %`}</p>`
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

/**
 * How far a job is that waits or runs, in percent: 0 while it waits, 5 to 75 while it is drawn, 80 while its file is stored, then 90.
 * @param drawn what this process has drawn of it, from 0 to 1; undefined if another process draws it
 */
function progressOf(
  { step, isRunning, exportSettings }: JobView,
  { drawn = 0, hasService }: { drawn: number | undefined; hasService: boolean },
): { percent: number; text: string } {
  if (step === 'ordering' || step === 'ordered' || step === 'stored')
    return { percent: 90, text: 'Being completed' }
  if (step === 'downloaded') return { percent: 80, text: 'Being stored' }
  if (isRunning) return { percent: Math.round(5 + 70 * drawn), text: 'Being drawn' }
  if (exportSettings.export_method === rendererMethod) return { percent: 0, text: 'Waiting for its turn' }
  const text = hasService
    ? 'Waiting for the export service'
    : 'Waiting for a file from outside: this host has no export service. If none comes, cancel it, then retry'
  return { percent: 0, text }
}
