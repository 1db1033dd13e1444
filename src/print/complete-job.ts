// Takes an announced print file through its steps (downloaded, stored, ordered, completed), each of them once, even
// after a crash: the steps table records where to resume, and a lease which worker may.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { currentAuthor, onBehalfOf } from '../core/change.ts'
import { within } from '../core/deadline.ts'
import { SvcError } from '../core/errors.ts'
import { storageFull } from '../core/unavailable.ts'
import type { Database } from '../db/connect.ts'
import type { Finding } from '../renderer/refusal.ts'
import { downloader } from './download.ts'
import {
  jobBusy,
  mayArrive,
  type ProviderServices,
  providerOrders,
  variationOf,
} from './order-at-provider.ts'
import { objectOf, type PrintJob } from './print-job-reads.ts'
import { type JobError, type Lease, printJobSteps, type Step } from './print-job-steps.ts'
import { printJobsRepository } from './print-jobs.ts'
import { type DrawFile, type FileOrigin, fileStore, type StoringServices } from './store-file.ts'

/** Reported after commit. */
export interface PrintJobChange {
  id: number
  guid: string
  status: string
}

interface Services extends Omit<ProviderServices, 'jobs' | 'lost'>, Omit<StoringServices, 'files' | 'steps'> {
  database: Database
  changed: (change: PrintJobChange) => Promise<void>
  /** Whether finished files are copied to a folder or server. */
  delivers?: boolean
}

/** Milliseconds for releasing a lease in the database, and for workers to stop when the server closes. */
const releaseTime = 3000
const closeTime = 8000
/** Maximum seconds for drawing a file, with the time in the queue. */
const maxDrawing = 2 * 3600

export function jobCompleter({
  database,
  storages,
  localFile,
  settings,
  provider,
  changed,
  delivers = false,
}: Services) {
  const { download, leaseSeconds, storingSeconds, pushSeconds, providerSeconds } = settings
  const jobs = printJobsRepository(database)
  const steps = printJobSteps(database, leaseSeconds)
  const files = downloader(download)
  const store = fileStore({ files, storages, localFile, steps, settings })
  const order = providerOrders({ jobs, storages, settings, provider, lost })
  const running = new Set<Promise<unknown>>()
  const stopping = new AbortController()
  /** Milliseconds after which a lease is no longer renewed. */
  const maxLease = (origin: FileOrigin) => {
    const seconds = 'draw' in origin ? maxDrawing : download.limits.seconds
    return (seconds + Math.max(storingSeconds, pushSeconds) + providerSeconds) * 1000
  }
  let stoppedAt = Number.POSITIVE_INFINITY

  /** Why the lease was lost: the job was deleted, or another worker took over. */
  async function lost(job: PrintJob): Promise<SvcError> {
    if (await jobs.byId(job.id)) return jobBusy()
    await steps.forget(job.id)
    return new SvcError('svc_print_job_not_found')
  }

  async function perform(
    job: PrintJob,
    origin: FileOrigin,
    lease: Lease,
    progress: Step,
    signal: AbortSignal,
  ) {
    const isStored = progress.step !== '' && progress.step !== 'downloaded'
    const request = { jobId: job.id, origin, lease, earlier: progress.file, lost: () => lost(job), signal }
    const file = isStored && progress.file !== undefined ? progress.file : await store.obtainAndStore(request)
    const variation = variationOf(objectOf(job.details))
    if (variation !== undefined && progress.step !== 'ordered') {
      if (!(await order(job, variation, file, lease, signal))) return
    }
    // What a provider prints is not for the press of the shop.
    const isDelivered = delivers && variation === undefined
    if (!(await lease.finish('completed', { isDelivered }))) throw await lost(job)
  }

  /** Renews the lease during the work. The work ends if the lease is lost or too old. */
  function renewLease(lease: Lease, aborter: AbortController, maxMilliseconds: number): NodeJS.Timeout {
    const last = performance.now() + maxMilliseconds
    const heartbeat = setInterval(
      async () => {
        if (performance.now() < last) {
          const isMine = await lease.renew().catch(() => true)
          if (!isMine) aborter.abort(new Error('The lease was lost.'))
        } else {
          clearInterval(heartbeat)
          aborter.abort(new Error('The work took too long.'))
        }
      },
      (leaseSeconds * 1000) / 3,
    )
    return heartbeat
  }

  async function complete(guid: string, originOf: () => FileOrigin): Promise<PrintJob> {
    const found = (await jobs.byGuid(guid))?.resource
    if (!found) throw new SvcError('svc_print_job_not_found')
    if (found.status === 'completed') return found
    const origin = originOf()
    const claimed = await steps.claim(found, randomUUID())
    if (!claimed) throw jobBusy()
    const { lease, step: progress } = claimed
    const aborter = new AbortController()
    const signal = AbortSignal.any([stopping.signal, aborter.signal])
    const heartbeat = renewLease(lease, aborter, maxLease(origin))
    try {
      // Another worker may have completed it just before our claim.
      const job = (await jobs.byId(found.id))?.resource
      if (!job) throw await lost(found)
      if (job.status !== 'completed') await perform(job, origin, lease, progress, signal)
    } catch (error) {
      if (!isVerdict(error)) {
        const release = mayArrive(error) ? lease.letExpire : lease.release
        await within(releaseTime, () => release(reasonOf(error))).catch(() => {})
        throw error
      }
      const failed = await lease.finish('failed', { error: storedError(error) })
      if (!failed) throw await lost(found)
    } finally {
      clearInterval(heartbeat)
    }
    return report(found.id)
  }

  function tracked(work: Promise<PrintJob>): Promise<PrintJob> {
    running.add(work)
    const forget = () => running.delete(work)
    work.then(forget, forget)
    return work
  }

  const outside = AsyncLocalStorage.bind(<T>(work: () => T): T => work())

  /** Runs without the deadline of the request, but on behalf of its author. */
  function start(guid: string, originOf: () => FileOrigin): Promise<PrintJob> {
    const author = currentAuthor()
    return outside(() => onBehalfOf(author, () => tracked(complete(guid, originOf))))
  }

  function stop(): void {
    stoppedAt = Math.min(stoppedAt, performance.now())
    stopping.abort(new Error('The server is closing.'))
  }

  async function report(id: number): Promise<PrintJob> {
    const done = (await jobs.byId(id))?.resource
    if (!done) throw new SvcError('svc_print_job_not_found')
    await changed({ id, guid: done.guid, status: done.status })
    return done
  }

  return {
    /**
     * Runs the remaining steps until the job is completed, or failed for good. Continues after the client disconnects,
     * outside the request's deadline and transaction hooks.
     * @throws SvcError 404, 409 while another worker holds the lease, 413, 422, 502, 503
     */
    complete: (guid: string, fileUrl: string) => start(guid, () => ({ url: files.checkUrl(fileUrl) })),

    /** Completes a job whose file is drawn here. If the renderer refuses the design or crashes, the job fails. */
    make: (guid: string, draw: DrawFile) => start(guid, () => ({ draw })),

    /** Removes temporary files of processes that were killed. */
    sweep: () => files.sweep(),

    /** Aborts all downloads, uploads and orders, so that every lease is released. */
    stop,

    /** Waits until every lease is released, at most eight seconds after `stop`. */
    async close(): Promise<void> {
      stop()
      const remaining = stoppedAt + closeTime - performance.now()
      await within(remaining, () => Promise.allSettled(running)).catch(() => {})
    },
  }
}

/** Whether a retry with the same design would fail again. */
const isVerdict = (error: unknown): error is SvcError =>
  error instanceof SvcError && (error.code === 'svc_render_refused' || error.code === 'svc_render_failed')

export type JobCompleter = ReturnType<typeof jobCompleter>

/** The error that the job keeps; none if only this process is busy. */
function reasonOf(thrown: unknown): JobError | undefined {
  const error = storageFull(thrown) ?? thrown
  if (!(error instanceof SvcError))
    return { code: 'svc_internal_error', message: 'The attempt failed unexpectedly.' }
  return error.code.endsWith('_busy') ? undefined : storedError(error)
}

/** The error as its job keeps it, with the codes of the renderer's refusals. */
function storedError({ code, message, data }: SvcError): JobError {
  const refusals = Array.isArray(data.refusals) ? data.refusals.map((refusal: Finding) => refusal.code) : []
  return { code, message, ...(refusals.length > 0 && { refusals: [...new Set(refusals)] }) }
}
