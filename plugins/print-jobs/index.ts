// /print-jobs: lists, reads, deletes and retries print jobs. Exports of orders create them.
import type { SvcContext } from '../../src/app/context.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { resourceRoutes } from '../../src/http/resource-routes.ts'
import { created, sendWritten } from '../../src/http/response.ts'
import { responses } from '../../src/http/schema.ts'
import { ordersOf } from '../../src/orders/orders.ts'
import { retry } from '../../src/orders/print-again.ts'
import { jobOverview } from '../../src/print/job-overview.ts'
import { printFileUrls } from '../../src/print/print-file.ts'
import { printJobPages } from '../../src/print/print-job-pages.ts'
import type { FoundJob, PrintJob as JobRow } from '../../src/print/print-job-reads.ts'
import { printJobsRepository } from '../../src/print/print-jobs.ts'
import { maxJobs, PrintJob, PrintJobListQuery, PrintJobParams } from './schema.ts'

/** The routes of print jobs, which make a print file of an order. */
export default group('print_jobs', (app, context, declaration) => {
  const jobs = printJobsRepository(context.database)
  const overview = jobOverview(context.database)
  const orders = ordersOf(context.database, context.cms)
  const { totals, exporter, printableStatuses: printable } = context
  const pages = printJobPages(context.database, totals)
  const routes = resourceRoutes(app, context, declaration, {
    singular: 'print_job',
    resource: PrintJob,
    params: PrintJobParams,
    table: context.database.t.print_jobs,
    find: async (guid: string) => responseOf(context, await jobs.find(guid)),
  })

  routes.list({
    querystring: PrintJobListQuery,
    async read({ status, include }, selection, { offset, limit }) {
      const rows = { offset, limit: limit === 0 ? maxJobs : limit }
      const withDetails = selection.has('details')
      const { jobs: list, total } = await pages.page({ status, include }, { ...rows, withDetails })
      const withoutDetails = withDetails ? list.filter(({ details }) => details === null) : []
      const unreadable = withoutDetails.map(({ id }) => ({ id, column: 'details' }))
      return { items: await resourcesOf(context, list), total, rows, unreadable }
    },
  })
  routes.get()

  app.post('/:id/retry', {
    config: {
      // It prints an order, even in a process that does not run the jobs; the export service may take ten seconds.
      needs: 'orders:write',
      patient: true,
      causes: [
        'svc_print_job_not_failed',
        'svc_order_data_not_found',
        'svc_order_item_not_found',
        'svc_order_type_unavailable',
        'svc_export_refused',
        'svc_export_not_configured',
        'svc_renderer_busy',
      ],
      conflicts: ['svc_unreadable_value'],
    },
    schema: {
      operationId: 'retry_print_job',
      summary: 'Retry a failed print job',
      description: 'Prints the same item in the same way, as a new job.',
      params: PrintJobParams,
      response: responses(201, PrintJob),
    },
    handler: async (request, reply) => {
      const { id } = await once<{ id: number; isPending: boolean }>(context, request, reply, {
        async make() {
          const guid = (await jobs.find(request.params.id))?.resource.guid
          const failed = guid === undefined ? undefined : await overview.find(guid)
          const { job } = await retry({ orders, exporter, printable, jobs: overview }, routes.found(failed))
          totals.forget()
          return { id: job.id, isPending: job.status === 'pending' }
        },
        // No process has taken a pending job yet, so it is not remembered: a repeated request hands it over once more.
        mayRemember: ({ isPending }) => !isPending,
        findAgain: async (jobId) => ({ id: jobId, isPending: false }),
      })
      const job = routes.found(await responseOf(context, await jobs.byId(id)))
      created(context, reply, `/print-jobs/${job.resource.guid}`)
      return sendWritten(reply, job, '', job.resource)
    },
  })

  routes.remove({
    config: { causes: ['svc_storage_not_configured', 'svc_storage_unavailable'] },
    description: 'With its stored file.',
    async remove(idOrGuid, check) {
      const job = await jobs.find(idOrGuid)
      if (!job) return undefined
      await check?.(job)
      // Before the rows, because only they record where the files are stored.
      await context.removePrintFiles(job.resource)
      const removed = await jobs.remove(idOrGuid, check)
      totals.forget()
      return removed
    },
  })
})

/** The jobs as responses contain them, with the URLs of their files. */
async function resourcesOf({ storages }: SvcContext, jobs: JobRow[]) {
  const urls = await printFileUrls(
    jobs.map(({ file }) => file),
    storages,
  )
  return jobs.map(
    ({ file: _file, refusals: _refusals, positions: _positions, warnings, preflight, ...job }, i) => ({
      ...job,
      ...(warnings.length > 0 && { warnings }),
      ...(preflight.length > 0 && { preflight }),
      file_url: urls[i] ?? null,
    }),
  )
}

/** A job as responses contain it, with its state; undefined without a job. */
async function responseOf(context: SvcContext, foundJob: FoundJob | undefined) {
  if (!foundJob) return undefined
  const { resource: job, state } = foundJob
  const [resource] = await resourcesOf(context, [job])
  if (!resource) throw new Error('A job gave no resource.')
  return { resource, state, unreadable: job.details === null ? [{ id: job.id, column: 'details' }] : [] }
}
