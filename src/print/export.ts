// Hands an order over to the export service, or to the renderer of this server: creates the job, then sends one request, whose
// response determines the job's status.
import { invalidParams, SvcError } from '../core/errors.ts'
import { step } from '../core/step.ts'
import { outboundSpans } from '../core/trace.ts'
import { bodyOf, foreignJson } from '../json/foreign.ts'
import type { Renderer } from '../renderer/renderer.ts'

import { type DrawingServices, drawnJobs } from './drawn-jobs.ts'
import {
  type ExportOrder,
  type ExportOverrides,
  exportSettingKeys,
  fileStemOf,
  printedDesign,
  printedItemOf,
  settingsOfExport,
} from './export-request.ts'
import { endsJob, type HandedOver, type HandOverServices, moveJob } from './hand-over.ts'
import type { JobWaiters } from './job-waiters.ts'
import type { ExportServiceOptions } from './options.ts'
import { hasEnded, type PrintJob } from './print-job-reads.ts'

export interface ExportServices extends DrawingServices, Omit<HandOverServices, 'jobs'> {
  /** Undefined if the host has not configured one. */
  service: ExportServiceOptions | undefined
  /** Undefined if the host has not enabled it. */
  renderer: Renderer | undefined
  waiters: JobWaiters
  /** URL of the webhook's namespace. */
  webhookBase: string
}

/** Maximum length of the service's diagnosis that is passed on, in characters. */
const maxDetail = 2000
/** Maximum bytes of the service's response. */
const maxResponse = 1024 * 1024

/** Hands orders over; one instance for each context. */
export function exporter(services: ExportServices) {
  const { service, renderer, options, jobs, completer, waiters, webhookBase } = services
  const stopping = new AbortController()
  const drawn = renderer && drawnJobs({ ...services, renderer })

  return {
    /** How much is drawn of the jobs that this process draws, from 0 to 1, by their ids. */
    drawing: drawn?.drawing ?? new Map<number, number>(),

    /** Whether orders can be handed to an export service. */
    hasService: service !== undefined,

    /** Resumes jobs that killed processes left unfinished. */
    resume: async () => drawn?.resume(stopping.signal),

    /**
     * Hands the order to the renderer of this host, if there is one and the service does not come first, or else to the service. Returns
     * when the renderer has drawn it or the service has accepted it. After the time limit the job is `pending`: the same call resumes it.
     * @throws SvcError 422 if the renderer refuses the design, 502 with the service's diagnosis if it refused, 503 if there is neither
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
      const [stored, profile] = await Promise.all([options.getMany(exportSettingKeys), services.output()])
      const settings = settingsOfExport(overrides, stored, profile)
      const { design, variation_printful } = printedDesign(order.customization)
      const identity = printedItemOf(order)
      // The job does not store the URL, which may contain a secret.
      const { cloud_webhook: _, ...storedSettings } = settings
      const details = {
        ...identity,
        ...storedSettings,
        ...(variation_printful !== null && { variation_printful }),
      }
      const job = await jobs.takeOrCreate(details, ['pending'], order)
      const body = JSON.stringify({
        ...settings,
        ...identity,
        name: fileStemOf(order),
        print_job_id: job.guid,
        file_ready_webhook: `${webhookBase}/print_job/${job.guid}`,
        variation_printful,
        api_version: '2.0',
        rtl: false,
        print_ready: true,
      })
      // Both are JSON texts of objects: joined as texts, the design need not be parsed.
      const request = `${body.slice(0, -1)},${design.slice(1)}`
      const { response, mayHaveArrived } = await sendToService(service, request, stopping.signal)
      if (!response) return { job, isExpected: mayHaveArrived }
      const { text, status } = response
      if (!response.ok) {
        const diagnosis = diagnosisOf(status, text)
        await moveJob(services, job, 'failed', { code: 'svc_export_refused', message: diagnosis.detail })
        throw new SvcError('svc_export_refused', {
          message: `The export service refused the order: ${reasonOf(text, diagnosis.detail)}`,
          error: diagnosis,
        })
      }
      const processing = await moveJob(services, job, 'processing')
      const fileUrl = fileUrlOf(text)
      if (!fileUrl) return { job: processing, isExpected: true }
      // Downloaded like any announced file, even if nothing waits for it.
      const work = endsJob(completer.complete(job.guid, fileUrl), services)
      return { job: processing, isExpected: true, work }
    },

    /**
     * The job once any process has ended it, or after so many milliseconds; sooner if `signal` aborts, the server stops, or
     * no file is to be expected. Undefined if it was deleted meanwhile.
     */
    async outcome(
      { job, isExpected, work }: HandedOver,
      milliseconds: number,
      signal: AbortSignal,
    ): Promise<PrintJob | undefined> {
      if (!isExpected || hasEnded(job.status) || milliseconds <= 0) return job
      const ended = new AbortController()
      // Then there is no reason to wait until the waiters look for the end of the job.
      void work?.then((isEnd) => isEnd && ended.abort())
      await waiters.wait(job.id, milliseconds, AbortSignal.any([signal, ended.signal]))
      return (await jobs.byId(job.id))?.resource
    },

    /** The job of an earlier hand-over; undefined if it was deleted. */
    job: async (id: number) => (await jobs.byId(id))?.resource,

    /** Ends all waits for the service or for a file. */
    stop(): void {
      stopping.abort(new Error('The server is closing.'))
      waiters.stop()
    },
  }
}

export type Exporter = ReturnType<typeof exporter>

/**
 * Sends an order to the service. Without a response in time `response` is undefined, and `mayHaveArrived` is whether the
 * service may have received the order.
 */
async function sendToService({ url, seconds = 10 }: ExportServiceOptions, body: string, stop: AbortSignal) {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const span = { purpose: 'export', method: 'POST', origin: new URL(url).origin } as const
  if (stop.aborted) return { response: undefined, mayHaveArrived: false }
  const send = async (signal: AbortSignal) => {
    try {
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
      // The timeout covers the whole response.
      const { ok, status } = response
      return { response: { ok, status, text: await bodyOf(response, maxResponse) }, mayHaveArrived: true }
    } catch {
      return { response: undefined, mayHaveArrived: signal.aborted }
    }
  }
  try {
    return await outboundSpans.around(span, () => step({ milliseconds: seconds * 1000, stop }, send))
  } catch {
    // The request ignored its signal and was abandoned.
    return { response: undefined, mayHaveArrived: true }
  }
}

const parsed = (text: string): Record<string, unknown> => Object(foreignJson(text))

function fileUrlOf(text: string): string | undefined {
  const { file_url: url } = Object(parsed(text).data)
  return typeof url === 'string' && url !== '' ? url : undefined
}

/** The object with the diagnosis: the response, or its property `error`. */
function diagnosisIn(text: string): Record<string, unknown> {
  const body = parsed(text)
  return typeof body.error === 'object' ? Object(body.error ?? body) : body
}

/** The reason of a refusal for the error's message: the service's message, then its detail. */
function reasonOf(text: string, detail: string): string {
  const { message } = diagnosisIn(text)
  const reason = typeof message === 'string' && message !== detail ? `${message} ${detail}` : detail
  return reason.trim().slice(0, maxDetail)
}

/** The diagnosis as the API returns it in `error`, within limits. */
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
