// Hands an order over to the export service: the job first, then one request, whose response determines the job's status.
import { invalidParams, SvcError } from '../core/errors.ts'
import { step } from '../core/step.ts'
import { outboundSpans } from '../core/trace.ts'
import { bodyOf, foreignJson } from '../json/foreign.ts'
import type { Renderer } from '../renderer/renderer.ts'
import type { PrintJobChange } from './complete-job.ts'
import { type DrawingServices, drawnJobs } from './drawn-jobs.ts'
import {
  type ExportOrder,
  type ExportOverrides,
  exportOptions,
  exportSettings,
  type HandedOver,
  identityOf,
  nameOf,
  printedParts,
} from './export-request.ts'
import type { JobWaiters } from './job-waiters.ts'
import type { ExportServiceOptions } from './options.ts'
import { hasEnded, type PrintJob } from './print-job-reads.ts'
import type { JobError } from './print-job-steps.ts'

export interface ExportServices extends DrawingServices {
  service: ExportServiceOptions | undefined
  /** Undefined if the host has not enabled it. */
  renderer: Renderer | undefined
  waiters: JobWaiters
  /** URL of the webhook's namespace. */
  webhookBase: string
  /** Called after commit. */
  changed: (change: PrintJobChange) => Promise<void>
  /** Called for failures after the response. */
  failed: (error: unknown) => void
}

/** Maximum length of the service's diagnosis that is passed on, in characters. */
const maxDetail = 2000
/** Maximum bytes of the service's response. */
const maxResponse = 1024 * 1024

export function exporter(services: ExportServices) {
  const { service, renderer, options, jobs, completer, waiters, webhookBase, changed, failed } = services
  const stopping = new AbortController()

  /**
   * Sends the order. Without a response in time `response` is undefined, and `isTaken` is whether the service may have
   * received the order.
   */
  async function ask(url: string, body: string) {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const span = { purpose: 'export', method: 'POST', origin: new URL(url).origin } as const
    const limits = { milliseconds: (service?.seconds ?? 10) * 1000, stop: stopping.signal }
    let isTaken = false
    const response = await outboundSpans
      .around(span, () =>
        step(limits, async (signal) => {
          signal.addEventListener('abort', () => {
            isTaken = true
          })
          const request = { method: 'POST', headers, body }
          const response = await fetch(url, { ...request, redirect: 'manual', signal })
          // The timeout covers the whole response.
          return { ok: response.ok, status: response.status, text: await bodyOf(response, maxResponse) }
        }),
      )
      .catch(() => undefined)
    return { response, isTaken }
  }

  async function settle(job: PrintJob, status: 'processing' | 'failed', error?: JobError) {
    const settled = await jobs.settle(job.id, status, error)
    if (settled?.moved) await changed({ id: job.id, guid: job.guid, status })
    return settled?.resource ?? job
  }

  /** Whether the work ended the job: false if another worker has the job and will end it. */
  const ended = (work: Promise<unknown>): Promise<boolean> =>
    work.then(
      () => true,
      (error) => {
        const isTaken = error instanceof SvcError && error.code === 'svc_print_job_busy'
        if (!isTaken) failed(error)
        return !isTaken
      },
    )

  const drawn = renderer && drawnJobs({ ...services, renderer, settle, ended })

  return {
    /** How much is drawn of the jobs that this process draws, from 0 to 1, by their ids. */
    drawing: (drawn?.drawing ?? new Map()) as ReadonlyMap<number, number>,

    /** Whether orders can be handed to an export service. */
    hasService: service !== undefined,

    /** Resumes jobs that killed processes left unfinished. */
    resume: async () => drawn?.resume(stopping.signal),

    /**
     * Returns when the service has accepted the order, or has not responded in time (then the job is `pending`, and the
     * same call resumes it).
     * @throws SvcError 502 with the service's diagnosis if it refused, 503 if no service is configured
     */
    async handOver(order: ExportOrder, overrides: ExportOverrides): Promise<HandedOver> {
      if (drawn && (!service || renderer?.beforeService)) return drawn.handOver(order, overrides)
      if (!service) throw new SvcError('svc_export_not_configured')
      if (overrides.pages === 'sheet')
        throw invalidParams({
          pages: 'sheet needs the built-in renderer; an export service makes single pages',
        })
      if (overrides.ticket)
        throw invalidParams({ ticket: 'needs the built-in renderer; an export service makes no tickets' })
      const [stored, profile] = await Promise.all([options.getMany(exportSettings), services.output()])
      const settings = exportOptions(overrides, stored, profile)
      const { design, variation_printful } = printedParts(order.customization)
      const identity = identityOf(order)
      const { cloud_webhook, ...how } = settings
      const details = { ...identity, ...how, ...(variation_printful !== null && { variation_printful }) }
      const job = await jobs.takePending(details, ['pending'], order)
      const body = JSON.stringify({
        ...settings,
        ...identity,
        name: nameOf(order),
        print_job_id: job.guid,
        file_ready_webhook: `${webhookBase}/print_job/${job.guid}`,
        variation_printful,
        api_version: '2.0',
        rtl: false,
        print_ready: true,
      })
      // The design is embedded as the JSON string that it is.
      const { response, isTaken } = await ask(service.url, `${body.slice(0, -1)},${design.slice(1)}`)
      if (!response) return { job, isExpected: isTaken }
      const { text, status } = response
      if (!response.ok) {
        const diagnosis = diagnosisOf(status, text)
        await settle(job, 'failed', { code: 'svc_export_refused', message: diagnosis.detail })
        throw new SvcError('svc_export_refused', {
          message: `The export service refused the order: ${wordsOf(text, diagnosis.detail)}`,
          error: diagnosis,
        })
      }
      const taken = await settle(job, 'processing')
      const fileUrl = fileUrlOf(text)
      if (!fileUrl) return { job: taken, isExpected: true }
      // Downloaded like any announced file, even if nothing waits for it.
      const fetched = ended(completer.complete(job.guid, fileUrl))
      return { job: taken, isExpected: true, fetched }
    },

    /**
     * The job once any process has ended it, or after so many milliseconds; sooner if `signal` aborts, the server stops, or
     * no file is to be expected. Undefined if it was deleted meanwhile.
     */
    async outcome(
      { job, isExpected, fetched }: HandedOver,
      milliseconds: number,
      signal: AbortSignal,
    ): Promise<PrintJob | undefined> {
      if (!isExpected || hasEnded(job.status) || milliseconds <= 0) return job
      const over = new AbortController()
      void fetched?.then((isOver) => isOver && over.abort())
      await waiters.wait(job.id, milliseconds, AbortSignal.any([signal, over.signal]))
      return (await jobs.byId(job.id))?.resource
    },

    /** The job of an earlier hand-over. */
    job: async (id: number) => (await jobs.byId(id))?.resource,

    /** Ends all waits for the service or for a file. */
    stop(): void {
      stopping.abort(new Error('The server is closing.'))
      waiters.stop()
    },
  }
}

export type Exporter = ReturnType<typeof exporter>

const parsed = (text: string): Record<string, unknown> => Object(foreignJson(text))

function fileUrlOf(text: string): string | undefined {
  const { file_url: url } = Object(parsed(text).data)
  return typeof url === 'string' && url !== '' ? url : undefined
}

/** The service's response may contain its diagnosis in a separate property. */
function diagnosisIn(text: string): Record<string, unknown> {
  const body = parsed(text)
  return typeof body.error === 'object' ? Object(body.error ?? body) : body
}

/** What clients show of a refusal: the service's message, then its detail. */
function wordsOf(text: string, detail: string): string {
  const { message } = diagnosisIn(text)
  const reason = typeof message === 'string' && message !== detail ? `${message} ${detail}` : detail
  return reason.trim().slice(0, maxDetail)
}

function diagnosisOf(status: number, text: string) {
  const { code, detail, message, fields } = diagnosisIn(text)
  const details = typeof detail === 'object' && detail !== null ? JSON.stringify(detail) : detail
  const reason = [details, message, text].find((part) => typeof part === 'string' && part !== '')
  return {
    code: typeof code === 'string' || typeof code === 'number' ? String(code).slice(0, 200) : null,
    detail: String(reason ?? `The service responded with ${status}.`).slice(0, maxDetail),
    fields: JSON.stringify(fields ?? null).length <= maxDetail ? (fields ?? null) : null,
    status,
  }
}
