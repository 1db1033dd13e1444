// Orders a stored print file at the print provider, if the item has a variation there.
import { jobErrors, SvcError } from '../core/errors.ts'
import { step } from '../core/step.ts'
import type { Storages } from '../storage/storages.ts'
import { type Details, objectOf, orderOf } from './job-data.ts'
import type { PrintReadySettings } from './options.ts'
import { pictureKeys, pictureUrls } from './pictures.ts'
import { printFileUrl } from './print-file.ts'
import type { PrintJob } from './print-job-reads.ts'
import type { Lease, StepFile } from './print-job-steps.ts'
import type { printJobsRepository } from './print-jobs.ts'
import { type PrintProvider, ProviderRefused, ProviderUnavailable } from './providers/provider.ts'

export interface ProviderServices {
  jobs: ReturnType<typeof printJobsRepository>
  storages: Storages
  settings: PrintReadySettings
  /** The current provider; undefined if there is none. */
  provider: () => Promise<PrintProvider | undefined>
  /** Why a lease was lost, as the error to throw. */
  leaseError: (job: PrintJob) => Promise<SvcError>
}

/** Milliseconds for removing pictures that were unpacked in vain. */
const cleanupTime = 3000
/** Signal for cleanup after the work was aborted. */
const neverStops = new AbortController().signal

/** 409: another worker has the job, or is ordering another job of the same order at the provider. */
export const jobBusy = () => new SvcError('svc_print_job_busy', { headers: { 'retry-after': '5' } })

/** @returns the function that orders a file, with which complete-job.ts continues after the file is stored */
export function providerOrders({ jobs, storages, settings, leaseError, ...services }: ProviderServices) {
  const { download, providerSeconds } = settings

  /** The public URL of a stored file, recorded when it was stored or computed now, and the places of its pages. */
  async function printOf(jobId: number, file: StepFile) {
    const { file: recorded, positions } = (await jobs.byId(jobId))?.resource ?? {}
    return { fileUrl: await printFileUrl(recorded ?? { local_file: file.key, ...file }, storages), positions }
  }

  /**
   * Orders the item at the provider, or changes its order there.
   * @returns false if that is impossible: the job has failed, and its lease has ended
   * @throws SvcError 409 `jobBusy`, 502 if the provider did not respond or failed, `leaseError`
   */
  async function order(
    job: PrintJob,
    variation: string,
    file: StepFile,
    lease: Lease,
    signal: AbortSignal,
  ): Promise<boolean> {
    const fail = async (code: keyof typeof jobErrors, message: string = jobErrors[code]) => {
      if (!(await lease.finish('failed', { error: { code, message } }))) throw await leaseError(job)
      return false
    }
    const shopOrder = orderOf(objectOf(job.details))
    const { fileUrl, positions } = await printOf(job.id, file)
    const provider = await services.provider()
    if (!provider) return fail('svc_print_provider_not_configured')
    if (!shopOrder || !fileUrl) return fail('svc_print_job_invalid')
    const turn = await lease.ordering()
    if (turn !== true) throw turn === 'busy' ? jobBusy() : await leaseError(job)
    try {
      const { orderId, type, itemId } = shopOrder
      const printedUrls = async (ending: AbortSignal) => {
        if (!file.key.endsWith('.zip')) return [fileUrl]
        const limits = { tempDir: download.tempDir, bytes: download.limits.bytes }
        return pictureUrls({ storage: await storages.at(file), ...limits }, file.key, ending)
      }
      const item = {
        orderId,
        orderType: type,
        itemId,
        variation,
        fileUrl,
        jobGuid: job.guid,
        printedUrls,
        positions,
      }
      const limits = { milliseconds: providerSeconds * 1000, stop: signal }
      const { providerOrder, notes } = await step(limits, (ending) => provider.upsertDraft(item, ending))
      if (!(await lease.ordered(providerOrder, notes))) throw await leaseError(job)
      return true
    } catch (error) {
      if (error instanceof ProviderRefused) return fail('svc_print_provider_refused', error.message)
      if (error instanceof SvcError) throw error
      const after = error instanceof ProviderUnavailable ? error.retryAfter : undefined
      throw new SvcError('svc_print_provider_unavailable', {
        cause: error,
        ...(after !== undefined && { headers: { 'retry-after': String(after) } }),
      })
    } finally {
      await step({ milliseconds: cleanupTime, stop: neverStops }, () => removeOrphans(job, file)).catch(
        () => {},
      )
    }
  }

  /** Removes the pictures that were unpacked, if the job was deleted meanwhile. */
  async function removeOrphans(job: PrintJob, file: StepFile): Promise<void> {
    if (!file.key.endsWith('.zip') || (await jobs.byId(job.id))) return
    const storage = await storages.at(file)
    for (const picture of await pictureKeys(storage, file.key)) await storage.remove(picture)
  }

  return order
}

/**
 * The provider's variation that a job is to be ordered as; undefined for items that the shop prints itself. Anything
 * but a string is passed as JSON, so that the provider refuses a value that is not an id, and no order is lost silently.
 */
export function variationOf(details: Details | null): string | undefined {
  const variation = details?.variation_printful ?? ''
  if (typeof variation === 'string') return variation || undefined
  const isEmpty =
    variation === false || (typeof variation === 'object' && Object.keys(variation).length === 0)
  return isEmpty ? undefined : JSON.stringify(variation)
}

/**
 * Whether the provider reported that it may still process a request that was aborted: no other job of the order may write there until
 * the lease ends. False for a provider that ignored the abort signal, although it may still process the request.
 */
export const mayArrive = (error: unknown): boolean =>
  error instanceof SvcError && error.cause instanceof ProviderUnavailable && error.cause.mayArrive
