// Hands an order over to the export service (service-jobs.ts) or to the renderer of this server (drawn-jobs.ts), and waits for its file.
import { SvcError } from '../core/errors.ts'
import type { Renderer } from '../renderer/renderer.ts'
import { type DrawingServices, drawnJobs } from './drawn-jobs.ts'
import type { ExportOrder, ExportOverrides } from './export-request.ts'
import type { HandedOver, HandOverServices } from './hand-over.ts'
import type { JobWaiters } from './job-waiters.ts'
import type { ExportServiceOptions } from './options.ts'
import { hasEnded, type PrintJob } from './print-job-reads.ts'
import { serviceJobs } from './service-jobs.ts'

export interface ExportServices extends DrawingServices, Omit<HandOverServices, 'jobs'> {
  /** Undefined if the host has not configured one. */
  service: ExportServiceOptions | undefined
  /** Undefined if the host has not enabled it. */
  renderer: Renderer | undefined
  waiters: JobWaiters
  /** URL of the webhook's namespace. */
  webhookBase: string
}

/** Hands orders over; one instance for each context. */
export function exporter(services: ExportServices) {
  const { service, renderer, jobs, waiters } = services
  const stopping = new AbortController()
  const drawn = renderer && drawnJobs({ ...services, renderer })
  const served = service && serviceJobs({ ...services, service, stop: stopping.signal })

  return {
    /** How much is drawn of the jobs that this process draws, from 0 to 1, by their ids. */
    drawing: drawn?.drawing ?? new Map<number, number>(),

    /** Whether orders can be handed to an export service. */
    hasService: service !== undefined,

    /** Resumes jobs of the renderer that killed processes left unfinished. */
    resume: async () => drawn?.resume(stopping.signal),

    /**
     * Hands the order to the renderer of this host, if there is one and the service does not come first, or else to the service.
     * Resolves when the job exists and the renderer has begun, or the service has responded; `outcome` waits for the file. Without a
     * response of the service in time the job is `pending`: the same call sends it once more.
     * @throws SvcError as `handOver` of drawn-jobs.ts or of service-jobs.ts does; 503 `svc_export_not_configured` if the host has neither
     */
    async handOver(order: ExportOrder, overrides: ExportOverrides): Promise<HandedOver> {
      const maker = renderer?.beforeService ? drawn : (served ?? drawn)
      if (!maker) throw new SvcError('svc_export_not_configured')
      return maker.handOver(order, overrides)
    },

    /**
     * The job once any process has ended it, or after so many milliseconds; sooner if `signal` aborts, the server stops, the work in
     * this process failed, or there are too many waiters. At once, as it was handed over, if no file is expected. Undefined if it was
     * deleted meanwhile.
     */
    async outcome(
      { job, isExpected, work }: HandedOver,
      milliseconds: number,
      signal: AbortSignal,
    ): Promise<PrintJob | undefined> {
      if (!isExpected || hasEnded(job.status) || milliseconds <= 0) return job
      const workEnded = new AbortController()
      // The waiters would notice the end of the job up to a second later, and a failed attempt never.
      void work?.then((isEnd) => isEnd && workEnded.abort())
      await waiters.wait(job.id, milliseconds, AbortSignal.any([signal, workEnded.signal]))
      return (await jobs.byId(job.id))?.resource
    },

    /** The job of an earlier hand-over; undefined if it was deleted. */
    job: async (id: number) => (await jobs.byId(id))?.resource,

    /** Ends all waits for the service or for a file. */
    stop(): void {
      stopping.abort(new Error('The server is closing.'))
      waiters.stop()
    },
  }
}

export type Exporter = ReturnType<typeof exporter>
