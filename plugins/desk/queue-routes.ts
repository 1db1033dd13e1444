// The queue page: failed, running, waiting and finished jobs, with actions to retry, deliver and cancel them.
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { printAgain, retry } from '../../src/orders/print-again.ts'
import { orderLink } from '../../src/orders/ticket-page.ts'
import { type Form, valueIn } from '../../src/pages/form.ts'
import { section } from '../../src/pages/html.ts'
import type { JobView } from '../../src/print/job-overview.ts'
import type { Desk } from './desk.ts'
import { feedbackIn } from './feedback.ts'
import { jobList, jobListParts } from './job-parts.ts'

/** Milliseconds after which `retry-all` starts no further job; the other jobs stay failed. */
const retryTime = 15_000

/** Errors that the next jobs would meet, too, so that `retry-all` ends with the first of them. */
const outages: ReadonlySet<string> = new Set([
  'svc_unavailable',
  'svc_storage_full',
  'svc_storage_unavailable',
  'svc_storage_not_configured',
])

/** The page of the queue, and the actions on its jobs. */
export function queueRoutes(desk: Desk): void {
  const { jobs } = desk

  desk.get('/queue', 'print_jobs:read', async (request, form) => {
    const queue = await jobs.queue()
    const parts = await jobListParts(desk, request, form, {
      back: 'queue',
      jobs: Object.values(queue).flat(),
    })
    const part = (id: keyof typeof queue, title: string, none: string, more?: Html) => {
      const heading = html`${title} <span class="count">${queue[id].length}</span>`
      return section(`section-${id}`, heading, [more, jobList(queue[id], parts, none)])
    }
    const all = html`<button class="main">Retry all ${queue.failed.length}</button>`
    const retryAll = queue.failed.length > 1 ? form('orders:write', 'retry-all', {}, all) : undefined
    const main = html`
${feedbackIn(request)}
<div id="queue" data-live>
${part('failed', 'Failed', 'Nothing has failed.', retryAll)}
${part('running', 'Running', 'Nothing is being drawn.')}
${part('waiting', 'Waiting', 'Nothing is waiting.')}
${part('finished', 'Finished', 'Nothing is finished yet.')}
</div>`
    return { title: 'Queue', current: 'queue', main }
  })

  async function jobIn(form: Form): Promise<JobView> {
    const job = await jobs.find(valueIn(form, 'job'))
    if (!job) throw new SvcError('svc_print_job_not_found', { message: 'There is no such job any more.' })
    return job
  }

  /** Drops the cached totals of lists of jobs and the numbers of the navigation. */
  function jobsChanged(): void {
    desk.context.totals.forget()
    desk.forgetNumbers()
  }

  const { exporter, printableStatuses: printable } = desk.context
  const printing = { orders: desk.orders, exporter, printable }
  const retryAction = { scope: 'orders:write', operation: 'retry_print_job' } as const

  desk.post('/retry', retryAction, async (form) => {
    const job = await jobIn(form)
    try {
      await retry({ ...printing, jobs }, job)
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'svc_print_job_not_failed') throw error
      return backTo(form, job, 'replaced')
    }
    jobsChanged()
    return backTo(form, job, 'retried')
  })

  // `queue` leaves out failures with a newer job, which `retry` would refuse.
  desk.post('/retry-all', retryAction, async () => {
    const until = performance.now() + retryTime
    const { failed } = await jobs.queue()
    let [started, refused] = [0, 0]
    try {
      for (const job of failed) {
        if (performance.now() > until) break
        try {
          await printAgain(printing, job)
          started++
        } catch (error) {
          if (!(error instanceof SvcError) || outages.has(error.code)) throw error
          refused++
        }
      }
    } finally {
      jobsChanged()
    }
    return `queue?said=all&count=${started}&refused=${refused}&left=${failed.length - started - refused}`
  })

  desk.post('/deliver', { scope: 'print_jobs:write', operation: 'deliver_print_file' }, async (form) => {
    const job = await jobIn(form)
    const isDue = await desk.context.deliveries?.retryNow(job.id)
    desk.context.deliverNow()
    return backTo(form, job, isDue ? 'deliver' : 'delivered')
  })

  desk.post(
    '/cancel',
    { scope: 'print_jobs:write', operation: 'cancel_print_job' },
    async (form, request) => {
      const job = await jobIn(form)
      const message = `${desk.nameOf(request)} cancelled the job.`
      const isCancelled = await jobs.cancel(job.guid, { code: 'svc_print_job_cancelled', message })
      jobsChanged()
      return backTo(form, job, isCancelled ? 'cancelled' : 'ended')
    },
  )
}

/** The page that the form was on, with the name of a feedback of feedback.ts. */
function backTo(form: Form, { order }: JobView, feedback: string): string {
  if (valueIn(form, 'back') !== 'order' || !order) return `queue?said=${feedback}`
  return `${orderLink({ type: order.type, id: order.orderId, item: order.itemId })}&said=${feedback}`
}
