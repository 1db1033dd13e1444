// Takes an announced print file through its steps (downloaded, stored, ordered, completed), each of them once, whatever
// crashes in between: the steps table tells where to go on, and a lease who may.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { Database } from '../db/connect.ts'
import { SvcError } from '../errors.ts'
import { type PrintProvider, ProviderRefused } from '../print-providers/provider.ts'
import { type Lease, printJobSteps, type Step } from '../repositories/print-job-steps.ts'
import { objectOf, orderOf, type PrintJob, printJobsRepository } from '../repositories/print-jobs.ts'
import type { FileStorage } from '../storage/storage.ts'
import { downloader } from './download.ts'
import { newPrintFileKey, printFileUrl } from './print-file.ts'
import type { PrintReadySettings } from './settings.ts'

/** Told after commit. */
export interface PrintJobChange {
  id: number
  guid: string
  status: string
}

interface Services {
  database: Database
  /** Undefined where the host names no uploads folder. */
  storage: FileStorage | undefined
  /** What PHP reads as the place of a stored file. */
  localFile: (key: string) => string
  settings: PrintReadySettings
  provider: PrintProvider | undefined
  changed: (change: PrintJobChange) => Promise<void>
}

const busy = () => new SvcError('svc_print_job_busy', { headers: { 'retry-after': '5' } })
const providerSeconds = 60

export function jobCompleter({ database, storage, localFile, settings, provider, changed }: Services) {
  const jobs = printJobsRepository(database)
  const steps = printJobSteps(database, settings.leaseSeconds)
  const files = downloader(settings.download)
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  let downloading = 0

  async function fetchOne(url: URL, signal: AbortSignal) {
    if (downloading >= settings.downloads) {
      throw new SvcError('svc_print_downloads_busy', { headers: { 'retry-after': '10' } })
    }
    downloading++
    try {
      return await files.fetch(url, signal)
    } finally {
      downloading--
    }
  }

  /** Why a hold was lost: the job is gone, or another one has taken it over. */
  async function lost(job: PrintJob): Promise<SvcError> {
    if (await jobs.byId(job.id)) return busy()
    await steps.forget(job.id)
    return new SvcError('svc_print_job_not_found')
  }

  /** Brings the file into the storage under a key that the steps table knew before. */
  async function store(
    job: PrintJob,
    url: URL,
    lease: Lease,
    earlier: string | undefined,
    signal: AbortSignal,
  ) {
    if (!storage) throw new SvcError('svc_storage_not_configured')
    let key = earlier
    if (key === undefined || !(await storage.stat(key))) {
      const file = await fetchOne(url, signal)
      try {
        key = newPrintFileKey(file.name)
        if (!(await lease.downloaded(key))) throw await lost(job)
        // Parts of an attempt that ended in the middle.
        if (earlier) await storage.remove(earlier)
        await storage.put(key, file)
      } finally {
        await files.discard(file)
      }
    }
    if (await lease.stored(localFile(key))) return key
    // Whoever took over may have found this very file and gone on with it.
    if ((await steps.fileOf(job.id)) !== key) await storage.remove(key)
    throw await lost(job)
  }

  /** Orders at the provider. @returns false when the job ended as failed */
  async function order(job: PrintJob, variation: string, key: string, lease: Lease, signal: AbortSignal) {
    const fail = async (code: string, message: string) => {
      if (!(await lease.finish('failed', { code, message }))) throw await lost(job)
      return false
    }
    const shopOrder = orderOf(job.details)
    const fileUrl = printFileUrl(key, storage)
    if (!provider) return fail('svc_print_provider_not_configured', 'No print provider is configured.')
    if (!shopOrder || !fileUrl) return fail('svc_print_job_invalid', 'The details of the job name no order.')
    const turn = await lease.ordering()
    if (turn !== true) throw turn === 'busy' ? busy() : await lost(job)
    try {
      const { orderId, type, itemId } = shopOrder
      const item = { orderId, orderType: type, itemId, variation, fileUrl, jobGuid: job.guid }
      const { providerOrder } = await provider.upsertDraft(item, signal)
      if (!(await lease.ordered(providerOrder))) throw await lost(job)
      return true
    } catch (error) {
      if (error instanceof ProviderRefused) return fail('svc_print_provider_refused', error.message)
      if (error instanceof SvcError) throw error
      throw new SvcError('svc_print_provider_unavailable', { cause: error })
    }
  }

  async function perform(job: PrintJob, url: URL, lease: Lease, { step, file }: Step, signal: AbortSignal) {
    const isStored = step !== '' && step !== 'downloaded'
    const key = isStored && file !== undefined ? file : await store(job, url, lease, file, signal)
    const variation = variationOf(job)
    if (variation !== undefined && step !== 'ordered') {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(providerSeconds * 1000)])
      if (!(await order(job, variation, key, lease, limit))) return
    }
    if (!(await lease.finish('completed'))) throw await lost(job)
  }

  async function complete(guid: string, fileUrl: string): Promise<PrintJob> {
    const found = (await jobs.byGuid(guid))?.job
    if (!found) throw new SvcError('svc_print_job_not_found')
    if (found.status === 'completed') return found
    const url = files.checkUrl(fileUrl)
    const held = await steps.claim(found, randomUUID())
    if (!held) throw busy()
    const { lease, step } = held
    const hold = new AbortController()
    const heartbeat = setInterval(
      () =>
        lease.renew().then(
          (mine) => mine || hold.abort(),
          () => {},
        ),
      (settings.leaseSeconds * 1000) / 3,
    )
    try {
      // The one before may have completed it in the moment before our claim.
      const job = (await jobs.byId(found.id))?.job
      if (!job) throw await lost(found)
      if (job.status !== 'completed') {
        await perform(job, url, lease, step, AbortSignal.any([closing.signal, hold.signal]))
      }
    } catch (error) {
      await lease.release(reasonOf(error)).catch(() => {})
      throw error
    } finally {
      clearInterval(heartbeat)
    }
    return report(found.id)
  }

  async function report(id: number): Promise<PrintJob> {
    const done = (await jobs.byId(id))?.job
    if (!done) throw new SvcError('svc_print_job_not_found')
    await changed({ id, guid: done.guid, status: done.status })
    return done
  }

  return {
    /**
     * Does what is missing until the job is completed, or failed for good. Goes on when the caller hangs up: neither
     * the time of a request nor its transaction hooks are for this work.
     * @throws SvcError 404, 409 while another one is at it, 413, 422, 502, 503
     */
    complete: AsyncLocalStorage.bind((guid: string, fileUrl: string): Promise<PrintJob> => {
      const work = complete(guid, fileUrl)
      running.add(work)
      const forget = () => running.delete(work)
      work.then(forget, forget)
      return work
    }),

    /** Removes temporary files of processes that were killed. */
    sweep: () => files.sweep(),

    /** Ends what is being fetched and waits until every job has let go. */
    async close(): Promise<void> {
      closing.abort(new Error('The server is closing.'))
      await Promise.allSettled(running)
    },
  }
}

export type JobCompleter = ReturnType<typeof jobCompleter>

/**
 * The provider's variation that a job is to be ordered as; undefined for what the shop prints itself. In another form
 * than an id it goes as JSON text, so that the provider refuses it and no order is lost in silence.
 */
function variationOf({ details }: PrintJob): string | undefined {
  const variation = objectOf(details)?.variation_printful ?? ''
  if (typeof variation === 'string') return variation || undefined
  const isEmpty =
    variation === false || (typeof variation === 'object' && Object.keys(variation).length === 0)
  return isEmpty ? undefined : JSON.stringify(variation)
}

/** What of an error the job keeps; that we are busy says nothing about the job. */
function reasonOf(error: unknown) {
  if (!(error instanceof SvcError)) return { code: 'svc_internal_error', message: 'The attempt broke off.' }
  return error.code.endsWith('_busy') ? undefined : { code: error.code, message: error.message }
}
