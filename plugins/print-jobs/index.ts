// /print-jobs: pending, completed and failed print jobs. Read, delete and retry; exports make jobs, and the webhook finishes them.

import { Type } from '@sinclair/typebox'
import type { SvcContext } from '../../src/app/context.ts'
import { SvcError } from '../../src/core/errors.ts'
import type { Declaration } from '../../src/core/groups.ts'
import type { Found } from '../../src/core/resource.ts'
import { ifMatch } from '../../src/http/etag.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { sliceMeta, withUnreadable } from '../../src/http/pagination.ts'
import { created, deleted, ok, pick, sendOne, sendWritten } from '../../src/http/response.ts'
import { Deleted, FieldsQuery, responses } from '../../src/http/schema.ts'
import { ordersOf } from '../../src/orders/orders.ts'
import { retry } from '../../src/orders/print-again.ts'
import { jobOverview } from '../../src/print/job-overview.ts'
import { printFileUrls } from '../../src/print/print-file.ts'
import type { FoundJob, PrintJob as JobRow } from '../../src/print/print-job-reads.ts'
import { printJobsRepository } from '../../src/print/print-jobs.ts'
import { maxJobs, PrintJob, PrintJobListQuery, PrintJobParams } from './schema.ts'

const declaration = {
  name: 'print_jobs',
  path: '/print-jobs',
  tag: 'Print jobs and their files.',
  toggle: { label: 'Print Jobs API' },
  missing: 'svc_print_job_not_found',
  events: ['print_job'],
  counts: { print_jobs: 'print_jobs' },
} as const satisfies Declaration

export default group(declaration, (app, context) => {
  const jobs = printJobsRepository(context.database)
  const overview = jobOverview(context.database)
  const orders = ordersOf(context.database, context.cms)
  const { totals, exporter } = context

  app.get('/', {
    schema: {
      operationId: 'list_print_jobs',
      summary: 'List print jobs',
      querystring: PrintJobListQuery,
      response: responses(200, Type.Array(PrintJob)),
    },
    handler: async (request, reply) => {
      const { status, include, offset = 0 } = request.query
      const limit = request.query.limit === 0 ? maxJobs : (request.query.limit ?? 20)
      const selection = selectedFields(request.query, PrintJob)
      const [list, total] = await Promise.all([
        jobs.list({ status, include, limit, offset, withDetails: selection.has('details') }),
        include
          ? jobs.count(status, include)
          : totals.get(`print_jobs:${status ?? ''}:${status === undefined}`, () => jobs.count(status)),
      ])
      const lost = list.filter((job) => selection.has('details') && job.details === null)
      return ok(
        (await wire(context, list)).map((job) => pick(job, selection)),
        withUnreadable(
          sliceMeta(context, request, reply, { offset, limit }, total),
          lost.map(({ id }) => ({ id, column: 'details' })),
        ),
      )
    },
  })

  app.get('/:id', {
    schema: {
      operationId: 'get_print_job',
      summary: 'Get a print job',
      params: PrintJobParams,
      querystring: FieldsQuery,
      response: responses(200, PrintJob),
    },
    handler: async (request, reply) => {
      const selection = selectedFields(request.query, PrintJob)
      const job = await found(context, await jobs.find(request.params.id))
      return sendOne(request, reply, job, {
        representation: selection.key,
        data: pick(job.resource, selection),
        table: context.database.t.print_jobs,
      })
    },
  })

  app.post('/:id/retry', {
    config: {
      // It prints an order, whoever looks after the jobs; the export service may take ten seconds.
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
      let started: number | undefined
      const make = async () => {
        const guid = (await jobs.find(request.params.id))?.job.guid
        const failed = guid === undefined ? undefined : await overview.find(guid)
        if (!failed) throw new SvcError('svc_print_job_not_found')
        const { job } = await retry({ orders, exporter, jobs: overview }, failed)
        totals.forget()
        started = job.id
        // A key must not replay a job that nobody has taken: the repeated request hands it over again.
        return job.status === 'pending' ? undefined : { resource: job }
      }
      const again = async (id: number) => {
        started = id
        return { resource: { id } }
      }
      await once(context, request, reply, { make, again })
      const job = await found(context, started === undefined ? undefined : await jobs.byId(started))
      created(context, reply, `/print-jobs/${job.resource.guid}`)
      return sendWritten(reply, job, '', job.resource)
    },
  })

  app.delete('/:id', {
    config: { causes: ['svc_storage_not_configured', 'svc_storage_unavailable'] },
    schema: {
      operationId: 'delete_print_job',
      summary: 'Delete a print job',
      description: 'With its stored file.',
      params: PrintJobParams,
      response: responses(200, Deleted),
    },
    handler: async (request) => {
      const { id } = request.params
      const precondition = ifMatch(request)
      const check = precondition && (({ state }: FoundJob) => precondition(state))
      const job = await jobs.find(id)
      if (!job) throw new SvcError('svc_print_job_not_found')
      check?.(job)
      // Before the rows, because only they record where the files are stored.
      await context.removePrintFiles(job.job)
      const removed = await jobs.remove(id, check)
      if (!removed) throw new SvcError('svc_print_job_not_found')
      totals.forget()
      return deleted(removed.id)
    },
  })
})

async function wire({ storages }: SvcContext, jobs: JobRow[]) {
  const urls = await printFileUrls(
    jobs.map(({ file }) => file),
    storages,
  )
  return jobs.map(({ file: _, warnings, preflight, ...job }, i) => ({
    ...job,
    ...(warnings.length > 0 && { warnings }),
    ...(preflight.length > 0 && { preflight }),
    file_url: urls[i] ?? null,
  }))
}

async function found(
  context: SvcContext,
  job: FoundJob | undefined,
): Promise<Found<Awaited<ReturnType<typeof wire>>[number]>> {
  if (!job) throw new SvcError('svc_print_job_not_found')
  const [resource] = await wire(context, [job.job])
  if (!resource) throw new Error('A job gave no resource.')
  const unreadable = job.job.details === null ? [{ id: job.job.id, column: 'details' }] : []
  return { resource, state: job.state, unreadable }
}
