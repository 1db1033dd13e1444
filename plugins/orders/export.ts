// `POST /orders/{id}/export`: creates a print job and waits for its file, for the time of the client's preference (RFC 7240 §4.3) or else
// of the host's option.
import type { FastifyRequest } from 'fastify'
import type { SvcContext } from '../../src/app/context.ts'
import { SvcError } from '../../src/core/errors.ts'
import { disconnectSignal } from '../../src/http/disconnect.ts'
import type { GroupScope } from '../../src/http/group.ts'
import { preferenceOf } from '../../src/http/headers.ts'
import { once } from '../../src/http/idempotency.ts'
import { created, ok } from '../../src/http/response.ts'
import { IdParams, responses } from '../../src/http/schema.ts'
import type { Orders } from '../../src/orders/orders.ts'
import { itemToPrint } from '../../src/orders/print-again.ts'
import type { ExportOrder } from '../../src/print/export-request.ts'
import type { HandedOver } from '../../src/print/hand-over.ts'
import { objectOf } from '../../src/print/job-data.ts'
import { maxWait } from '../../src/print/options.ts'
import { printFilePath, printFileUrl } from '../../src/print/print-file.ts'
import type { PrintJob } from '../../src/print/print-job-reads.ts'
import { findingOf } from '../../src/renderer/preflight-result.ts'
import { mirrorFinding } from '../../src/renderer/refusal.ts'
import { bodyWithQuery } from './requested-item.ts'
import { ExportJob, OrderExport } from './schema.ts'

/** A print job that a request has created, or that an earlier request with the same key has created. */
interface Exported {
  handedOver: HandedOver
  /** Identifies the job for a repeated request. */
  resource: PrintJob
}

/** The job of a hand-over as `once` remembers it. */
const exportedJob = (handedOver: HandedOver): Exported => ({ handedOver, resource: handedOver.job })

/** Adds the route. */
export function exportRoute(app: GroupScope, context: SvcContext, orders: Orders): void {
  const { totals, storages, exporter, exportWait, printableStatuses: printable } = context
  const requested = bodyWithQuery()

  app.post('/:id/export', {
    // The export service may take ten seconds, as long as a whole request elsewhere, and the file even longer.
    config: {
      patient: true,
      takes: ['idempotency-key', 'wait'],
      causes: [
        'svc_order_item_not_found',
        'svc_order_type_unavailable',
        'svc_print_job_not_found',
        'svc_export_refused',
        'svc_export_not_configured',
        'svc_render_refused',
        'svc_renderer_busy',
      ],
      // A variation that is too long for a print job.
      conflicts: ['svc_unreadable_value'],
    },
    schema: {
      operationId: 'export_order',
      summary: 'Export an order as a print file',
      description: 'Creates a print job and waits up to 30 seconds for its file; `get_print_job` tells more.',
      params: IdParams,
      body: OrderExport,
      response: responses(201, ExportJob),
    },
    handler: async (request, reply) => {
      const started = performance.now()
      const wait = exportWaitOf(request, exportWait)
      const { id: orderId } = request.params
      const { type = 'wc', item_id: itemId, ...options } = requested(request)
      const order = await itemToPrint({ orders, printable }, { type, id: orderId, itemId }, options)
      const exported = await once<Exported | undefined>(context, request, reply, {
        make: async () => exportedJob(await exporter.handOver(order, options)),
        async findAgain(id) {
          const job = await exporter.job(id)
          return job && exportedJob({ job, isExpected: true })
        },
        // A pending job is not remembered: a repeated request makes no second one, but resumes it.
        mayRemember: ({ resource }) => resource.status !== 'pending',
      })
      if (!exported) throw new SvcError('svc_print_job_not_found')
      totals.forget()
      const remaining = wait.milliseconds - (performance.now() - started)
      const job = await exporter.outcome(exported.handedOver, remaining, disconnectSignal(reply))
      if (!job) throw new SvcError('svc_print_job_not_found')
      assertDrawn(job)
      if (wait.applied !== undefined) reply.header('preference-applied', wait.applied)
      created(context, reply, `/print-jobs/${job.guid}`)
      return ok({
        print_job_id: job.guid,
        order_id: orderId,
        order_type: type,
        item_id: itemId ?? null,
        status: job.status,
        file_url: await printFileUrl(job.file, storages),
        file: printFilePath(job.file),
        findings: job.preflight.length > 0 ? job.preflight : findingsBeforeDrawing(order, job),
      })
    },
  })
}

/** The findings that are known before the file is drawn: those about the order, and that it is mirrored. */
function findingsBeforeDrawing({ findings }: Pick<ExportOrder, 'findings'>, { details }: PrintJob) {
  const isMirrored = objectOf(details)?.mirror === true
  return [...findings, ...(isMirrored ? [mirrorFinding] : [])].map((text) => findingOf('warning', text))
}

/** @throws SvcError 422 with the message of the job, if the renderer has refused the design */
function assertDrawn({ status, error, guid }: PrintJob): void {
  if (status !== 'failed' || error?.code !== 'svc_render_refused') return
  throw new SvcError('svc_render_refused', { message: error.message, data: { print_job_id: guid } })
}

/**
 * How long the request waits for the file.
 * @param defaultSeconds without a preference of the client; a malformed preference is ignored
 * @returns `applied` is the value of `Preference-Applied`, if a preference was applied
 */
function exportWaitOf(
  request: Pick<FastifyRequest, 'headers'>,
  defaultSeconds: number,
): { milliseconds: number; applied?: string } {
  const wait = preferenceOf(request, 'wait') ?? ''
  const isAsync = preferenceOf(request, 'respond-async') !== undefined
  if (/^\d{1,9}$/.test(wait)) {
    const seconds = Math.min(Number(wait), maxWait)
    // Together they mean: wait that long, and only then respond without the file.
    return { milliseconds: seconds * 1000, applied: `${isAsync ? 'respond-async, ' : ''}wait=${seconds}` }
  }
  return isAsync ? { milliseconds: 0, applied: 'respond-async' } : { milliseconds: defaultSeconds * 1000 }
}
