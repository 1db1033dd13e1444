// The story of a print file, from an announced or drawn file to the end of its job: take the job → obtain the file (download or
// draw it) → store it → order it at the print provider → finish the job. Each step happens once, even after a crash: the steps
// table records where to resume, and a lease which worker may.
import { randomUUID } from 'node:crypto'
import { currentAuthor, onBehalfOf } from '../core/change.ts'
import { startContext, within } from '../core/deadline.ts'
import { SvcError } from '../core/errors.ts'
import { storageFull } from '../core/unavailable.ts'
import type { Database } from '../db/connect.ts'
import type { Finding } from '../renderer/refusal.ts'
import { downloader } from './download.ts'
import { objectOf } from './job-data.ts'
import {
  jobBusy,
  mayArrive,
  type ProviderServices,
  providerOrders,
  variationOf,
} from './order-at-provider.ts'
import type { PrintJob } from './print-job-reads.ts'
import { type JobError, type Lease, printJobSteps, type Step, type StepFile } from './print-job-steps.ts'
import { printJobsRepository } from './print-jobs.ts'
import {
  type DrawFile,
  type FileOrigin,
  type FileRequest,
  fileStore,
  type StoringServices,
} from './store-file.ts'

/** A print job after an attempt to complete it, as `onPrintJobChanged` gets it. */
export interface PrintJobChange {
  id: number
  guid: string
  status: string
}

interface Services
  extends Omit<ProviderServices, 'jobs' | 'leaseError'>,
    Omit<StoringServices, 'files' | 'steps'> {
  database: Database
  /** Called after each attempt that did not throw: the job is completed, by this worker or another one, or failed for good. */
  changed: (change: PrintJobChange) => Promise<void>
  /** Whether finished files are copied to a folder or server. */
  delivers?: boolean
}

/** Milliseconds for releasing a lease in the database. */
const releaseTime = 3000
/** Milliseconds for workers to stop when the server closes. */
const closeTime = 8000
/** Maximum seconds for drawing a file, with the time in the queue. */
const maxDrawing = 2 * 3600

/** Completes jobs in this process; one instance for each context. */
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
  const downloads = downloader(download)
  const files = fileStore({ files: downloads, storages, localFile, steps, settings })
  const order = providerOrders({ jobs, storages, settings, provider, leaseError })
  const running = new Set<Promise<unknown>>()
  const stopping = new AbortController()
  let stoppedAt = Number.POSITIVE_INFINITY

  /**
   * Takes the job, performs its remaining steps, and finishes or releases it.
   * @param originOf called only if the job is not completed; may throw, before the job is leased
   * @returns the job as it is then
   */
  async function complete(guid: string, originOf: () => FileOrigin): Promise<PrintJob> {
    const job = (await jobs.byGuid(guid))?.resource
    if (!job) throw new SvcError('svc_print_job_not_found')
    if (job.status === 'completed') return job
    const origin = originOf()
    const claimed = await steps.claim(job, randomUUID())
    if (!claimed) throw jobBusy()
    const { lease, step: progress } = claimed
    const aborter = new AbortController()
    const signal = AbortSignal.any([stopping.signal, aborter.signal])
    const heartbeat = renewLease(lease, aborter, maxLease(origin))
    try {
      // Another worker may have completed it just before our claim.
      const current = (await jobs.byId(job.id))?.resource
      if (!current) throw await leaseError(job)
      if (current.status !== 'completed') await performSteps(current, origin, lease, progress, signal)
    } catch (error) {
      await endAttempt(job, lease, error)
    } finally {
      clearInterval(heartbeat)
    }
    return reportEnd(job.id)
  }

  /** The steps that are not done yet, in order. */
  async function performSteps(
    job: PrintJob,
    origin: FileOrigin,
    lease: Lease,
    progress: Step,
    signal: AbortSignal,
  ): Promise<void> {
    const isStored = progress.step !== '' && progress.step !== 'downloaded'
    const request = {
      jobId: job.id,
      origin,
      lease,
      earlierFile: progress.file,
      leaseError: () => leaseError(job),
      signal,
    }
    const file = isStored && progress.file !== undefined ? progress.file : await obtainAndStore(request)
    const variation = variationOf(objectOf(job.details))
    if (variation !== undefined && progress.step !== 'ordered') {
      // It cannot be ordered, and the job has failed.
      if (!(await order(job, variation, file, lease, signal))) return
    }
    // What a provider prints is not for the press of the shop.
    const isToDeliver = delivers && variation === undefined
    if (!(await lease.finish('completed', { isToDeliver }))) throw await leaseError(job)
  }

  /** Obtains and stores the file, unless an earlier attempt stored it, and records in the job where it is. */
  async function obtainAndStore(request: FileRequest): Promise<StepFile> {
    const storedEarlier = await files.findStored(request)
    if (storedEarlier) return files.record(storedEarlier, undefined, request)
    const obtained = await files.obtain(request)
    const stored = await files.store(obtained, request)
    return files.record(stored, obtained.notes, request)
  }

  /** Ends an attempt that threw: the job fails if a retry would throw again, otherwise its lease ends and the error is thrown. */
  async function endAttempt(job: PrintJob, lease: Lease, error: unknown): Promise<void> {
    if (isFinal(error)) {
      const isFinished = await lease.finish('failed', { error: storedError(error) })
      if (!isFinished) throw await leaseError(job)
      return
    }
    const release = mayArrive(error) ? lease.letExpire : lease.release
    await within(releaseTime, () => release(visibleError(error))).catch(() => {})
    throw error
  }

  /** Why the lease was lost: the job was deleted, or another worker took over. */
  async function leaseError(job: PrintJob): Promise<SvcError> {
    if (await jobs.byId(job.id)) return jobBusy()
    await steps.forget(job.id)
    return new SvcError('svc_print_job_not_found')
  }

  /** Milliseconds after which a lease is no longer renewed. */
  function maxLease(origin: FileOrigin): number {
    const seconds = 'draw' in origin ? maxDrawing : download.limits.seconds
    return (seconds + Math.max(storingSeconds, pushSeconds) + providerSeconds) * 1000
  }

  /** Renews the lease during the work, and aborts the work if the lease is lost or too old. */
  function renewLease(lease: Lease, aborter: AbortController, maxMilliseconds: number): NodeJS.Timeout {
    const end = performance.now() + maxMilliseconds
    const heartbeat = setInterval(
      async () => {
        if (performance.now() < end) {
          // After an error of the database the next renewal decides.
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

  /** Reads the job after the attempt, and reports its status. */
  async function reportEnd(id: number): Promise<PrintJob> {
    const job = (await jobs.byId(id))?.resource
    if (!job) throw new SvcError('svc_print_job_not_found')
    await changed({ id, guid: job.guid, status: job.status })
    return job
  }

  /** Adds the work to those that `close` waits for. */
  function track(work: Promise<PrintJob>): Promise<PrintJob> {
    running.add(work)
    const forget = () => running.delete(work)
    work.then(forget, forget)
    return work
  }

  const inStartContext = startContext()

  /** Starts work that continues after the client disconnects, on behalf of the author of the request. */
  function start(guid: string, originOf: () => FileOrigin): Promise<PrintJob> {
    const author = currentAuthor()
    return inStartContext(() => onBehalfOf(author, () => track(complete(guid, originOf))))
  }

  function stop(): void {
    stoppedAt = Math.min(stoppedAt, performance.now())
    stopping.abort(new Error('The server is closing.'))
  }

  return {
    /**
     * Runs the remaining steps until the job is completed, or failed for good. Continues after the client disconnects,
     * without the deadline of the request.
     * @throws SvcError 404, 409 while another worker holds the lease, 413, 422, 502, 503
     */
    complete: (guid: string, fileUrl: string) => start(guid, () => ({ url: downloads.checkUrl(fileUrl) })),

    /** Completes a job whose file is drawn here. If the renderer refuses the design or crashes, the job fails. */
    make: (guid: string, draw: DrawFile) => start(guid, () => ({ draw })),

    /** Removes temporary files of processes that were killed. */
    sweep: () => downloads.sweep(),

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

export type JobCompleter = ReturnType<typeof jobCompleter>

/** Whether a retry with the same design would fail again. */
const isFinal = (error: unknown): error is SvcError =>
  error instanceof SvcError && (error.code === 'svc_render_refused' || error.code === 'svc_render_failed')

/** The error that the row of a waiting job shows; undefined if only something is busy (`…_busy`), so that the job shows no failure. */
function visibleError(thrown: unknown): JobError | undefined {
  const error = storageFull(thrown) ?? thrown
  if (!(error instanceof SvcError))
    return { code: 'svc_internal_error', message: 'The attempt failed unexpectedly.' }
  return error.code.endsWith('_busy') ? undefined : storedError(error)
}

/** The error as the row of its job stores it, with the codes of the renderer's refusals. */
function storedError({ code, message, data }: SvcError): JobError {
  const refusals = Array.isArray(data.refusals) ? data.refusals.map((refusal: Finding) => refusal.code) : []
  return { code, message, ...(refusals.length > 0 && { refusals: [...new Set(refusals)] }) }
}
