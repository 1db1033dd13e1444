// What service-jobs.ts and drawn-jobs.ts share: the result of handing an order over, the change of the job's status, and the end of
// the work on it in this process.
import { SvcError } from '../core/errors.ts'
import type { PrintJobChange } from './complete-job.ts'
import type { PrintJob } from './print-job-reads.ts'
import type { JobError } from './print-job-steps.ts'
import type { printJobsRepository } from './print-jobs.ts'

export interface HandOverServices {
  jobs: Pick<ReturnType<typeof printJobsRepository>, 'moveFromPending'>
  /** Called after the commit that changes the status of a job. */
  changed: (change: PrintJobChange) => Promise<void>
  /** Called with the errors of downloads and drawings, which no response contains. */
  failed: (error: unknown) => void
}

export interface HandedOver {
  job: PrintJob
  /** Whether a file may still come: it is drawn here, or the service has, or may have, taken the order. */
  isExpected: boolean
  /** The download or drawing, if it runs in this process: resolves as `endsJob` does, and never rejects. */
  work?: Promise<boolean>
}

/** Moves a pending job to its next status, and reports the change; another status stays. @returns the job; as it was if it was deleted */
export async function moveJob(
  { jobs, changed }: Pick<HandOverServices, 'jobs' | 'changed'>,
  job: PrintJob,
  status: 'processing' | 'failed',
  error?: JobError,
): Promise<PrintJob> {
  const result = await jobs.moveFromPending(job.id, status, error)
  if (result?.hasMoved) await changed({ id: job.id, guid: job.guid, status })
  return result?.resource ?? job
}

/**
 * Waits for work on a job, and reports its failure; never rejects.
 * @returns whether a request need not wait any longer: false if another worker has the job, or orders another job of the same order
 */
export async function endsJob(
  work: Promise<unknown>,
  { failed }: Pick<HandOverServices, 'failed'>,
): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (error instanceof SvcError && error.code === 'svc_print_job_busy') return false
    failed(error)
    return true
  }
}
