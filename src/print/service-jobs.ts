// Hands orders to the export service of the host: one request for each, whose response decides the status of the job. The file comes
// later, announced to our webhook, or its URL is in the response.

import { invalidParams, SvcError } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import { step } from '../core/step.ts'
import { outboundSpans } from '../core/trace.ts'
import { bodyOf, foreignJson } from '../json/untrusted.ts'
import type { DrawingServices } from './drawn-jobs.ts'
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
import type { ExportServiceOptions } from './options.ts'

interface ServiceJobServices
  extends Pick<DrawingServices, 'jobs' | 'completer' | 'options' | 'output'>,
    Omit<HandOverServices, 'jobs'> {
  service: ExportServiceOptions
  /** URL of the webhook's namespace. */
  webhookBase: string
  /** Ends requests that wait for the service. */
  stop: AbortSignal
}

/** Maximum length of the service's diagnosis that is passed on, in characters. */
const maxDetail = 2000
const maxResponse = 1024 * 1024

/** Jobs whose files the service makes; one instance for each context. */
export function serviceJobs(services: ServiceJobServices) {
  const { service, options, output, jobs, completer, webhookBase, stop } = services

  return {
    /**
     * Creates a job and sends the order. Resolves when the service has accepted it (the job is `processing`), or without a response
     * in time: the job stays `pending`, and the next call with the same order and settings sends the same job once more.
     * @throws SvcError 400 for options that only the renderer has, 409 for a variation that is too long, 502 with the service's
     *   diagnosis if it refused (the job failed), what `order.check` and `order.onJobTaken` throw
     */
    async handOver(order: ExportOrder, overrides: ExportOverrides): Promise<HandedOver> {
      assertSupported(overrides)
      const [stored, profile] = await Promise.all([options.getMany(exportSettingKeys), output()])
      const settings = settingsOfExport(overrides, stored, profile)
      const { design, variation_printful } = printedDesign(order.customization)
      const printedItem = printedItemOf(order)
      // The job does not store the URL, which may contain a secret.
      const { cloud_webhook: _, ...storedSettings } = settings
      const details = {
        ...printedItem,
        ...storedSettings,
        ...(variation_printful !== null && { variation_printful }),
      }
      // Only a pending job: the service has a job that is processing, and would make its file twice.
      const job = await jobs.takeOrCreate(details, ['pending'], order)
      const body = JSON.stringify({
        ...settings,
        ...printedItem,
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
      const { response, mayHaveArrived } = await sendToService(service, request, stop)
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
  }
}

/** @throws SvcError 400 for options that only the renderer has */
function assertSupported({ pages, ticket }: ExportOverrides): void {
  if (pages === 'sheet')
    throw invalidParams({
      pages: 'sheet needs the built-in renderer; an export service makes single pages',
    })
  if (ticket)
    throw invalidParams({ ticket: 'needs the built-in renderer; an export service makes no tickets' })
}

/**
 * Sends an order to the service. `response` is undefined after a network error, at the time limit, and when the server stops;
 * `mayHaveArrived` is then whether the service may have received the order and still make the file: not after a network error.
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

const parsed = (text: string): Record<string, unknown> => membersOf(foreignJson(text))

function fileUrlOf(text: string): string | undefined {
  const { file_url: url } = membersOf(parsed(text).data)
  return typeof url === 'string' && url !== '' ? url : undefined
}

/** The object with the diagnosis: the response, or its property `error`. */
function diagnosisIn(text: string): Record<string, unknown> {
  const body = parsed(text)
  return typeof body.error === 'object' ? membersOf(body.error ?? body) : body
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
