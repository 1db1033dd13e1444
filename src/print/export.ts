// Hands an order over to the export service: the job first, then one request, whose answer decides the job's status.
import { SvcError } from '../errors.ts'
import type { OptionsStore } from '../options/store.ts'
import type { PrintJob, printJobsRepository } from '../repositories/print-jobs.ts'
import { outboundSpans } from '../trace.ts'
import type { JobCompleter, PrintJobChange } from './complete-job.ts'
import { type ExportWishes, exportOptions, exportSettings, printedParts } from './export-request.ts'

export interface ExportServiceOptions {
  /** Address that takes the request as a JSON POST. */
  url: string
  /** Seconds to wait for its answer; default 10. */
  seconds?: number
}

export interface ExportOrder {
  orderId: number
  orderType: string
  itemId: number | undefined
  /** The stored customization, parsed. */
  customization: unknown
}

interface Services {
  service: ExportServiceOptions | undefined
  options: OptionsStore
  jobs: ReturnType<typeof printJobsRepository>
  completer: JobCompleter
  /** Address of the webhook's namespace. */
  webhookBase: string
  changed: (change: PrintJobChange) => Promise<void>
  /** For what goes wrong behind the answer. */
  failed: (error: unknown) => void
}

/** Longest diagnosis of the service that is passed on, in characters. */
const longestDetail = 2000

/** @throws Error when the address is none */
export function exporter({ service, options, jobs, completer, webhookBase, changed, failed }: Services) {
  if (service && !/^https?:\/\//.test(service.url)) {
    throw new Error(`exportService.url: "${service.url}" is no http or https address.`)
  }

  /** Undefined when no whole answer comes in time. */
  async function ask(url: string, body: object) {
    const signal = AbortSignal.timeout((service?.seconds ?? 10) * 1000)
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const about = { purpose: 'export', method: 'POST', origin: new URL(url).origin } as const
    try {
      return await outboundSpans.around(about, async () => {
        const answer = await fetch(url, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
          redirect: 'manual',
          signal,
        })
        // The whole answer counts as one, so that it comes in time or not at all.
        return { ok: answer.ok, status: answer.status, text: await answer.text() }
      })
    } catch {
      return undefined
    }
  }

  async function settle(
    job: PrintJob,
    status: 'processing' | 'failed',
    error?: { code: string; message: string },
  ) {
    const settled = await jobs.settle(job.id, status, error)
    if (settled?.moved) await changed({ id: job.id, guid: job.guid, status })
    return settled?.resource ?? job
  }

  return {
    /**
     * Answers with the job as soon as the service took the order, or did not answer in time (then it is `pending`, and
     * the same call takes it up again).
     * @throws SvcError 502 with the service's diagnosis when it refused, 503 when no service is configured
     */
    async handOver(order: ExportOrder, wishes: ExportWishes): Promise<PrintJob> {
      if (!service) throw new SvcError('svc_export_not_configured')
      const settings = exportOptions(wishes, await options.getMany(exportSettings))
      const { variation_printful, ...parts } = printedParts(order.customization)
      const { orderId: order_id, itemId, orderType: order_type } = order
      const identity = { order_id, order_type, item_id: itemId ?? null }
      const { cloud_webhook, ...how } = settings
      const job = await jobs.takePending({
        ...identity,
        ...how,
        ...(variation_printful !== null && { variation_printful }),
      })
      const answer = await ask(service.url, {
        ...settings,
        ...parts,
        ...identity,
        name: itemId === undefined ? String(order_id) : `${order_id}_${itemId}`,
        print_job_id: job.guid,
        file_ready_webhook: `${webhookBase}/print_job/${job.guid}`,
        variation_printful,
        api_version: '2.0',
        rtl: false,
        print_ready: true,
      })
      if (!answer) return job
      const { text, status } = answer
      if (!answer.ok) {
        const diagnosis = diagnosisOf(status, text)
        await settle(job, 'failed', { code: 'svc_export_refused', message: diagnosis.detail })
        throw new SvcError('svc_export_refused', {
          message: `The export service refused the order: ${wordsOf(text, diagnosis.detail)}`,
          error: diagnosis,
        })
      }
      const taken = await settle(job, 'processing')
      const fileUrl = fileUrlOf(text)
      // Fetched like any announced file, while the caller has his answer.
      if (fileUrl) completer.complete(job.guid, fileUrl).catch(failed)
      return taken
    },

    /** The job of an earlier hand-over. */
    job: async (id: number) => (await jobs.byId(id))?.job,
  }
}

export type Exporter = ReturnType<typeof exporter>

function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

function fileUrlOf(text: string): string | undefined {
  const { file_url: url } = Object(parsed(text).data)
  return typeof url === 'string' && url !== '' ? url : undefined
}

/** The service's answer may hold its diagnosis in a member of its own. */
function diagnosisIn(text: string): Record<string, unknown> {
  const body = parsed(text)
  return typeof body.error === 'object' ? Object(body.error ?? body) : body
}

/** What clients show of a refusal: the service's message, then its detail. */
function wordsOf(text: string, detail: string): string {
  const { message } = diagnosisIn(text)
  const words = typeof message === 'string' && message !== detail ? `${message} ${detail}` : detail
  return words.trim().slice(0, longestDetail)
}

function diagnosisOf(status: number, text: string) {
  const { code, detail, message, fields } = diagnosisIn(text)
  const words = [detail, message, text].find((part) => typeof part === 'string' && part !== '')
  return {
    code: typeof code === 'string' || typeof code === 'number' ? String(code).slice(0, 200) : null,
    detail: String(words ?? `The service answered ${status}.`).slice(0, longestDetail),
    fields: JSON.stringify(fields ?? null).length <= longestDetail ? (fields ?? null) : null,
    status,
  }
}
