// The order that an export hands over to the service or to the renderer, and the result.

import type { PrintJob } from './print-job-reads.ts'
import type { printJobsRepository } from './print-jobs.ts'

export interface ExportOrder {
  orderId: number
  orderType: string
  itemId: number | undefined
  /** JSON text of the stored customization. */
  customization: string
  /** Throws if the order is not the one that was read; called in the transaction that creates the job. */
  check?: Parameters<ReturnType<typeof printJobsRepository>['takePending']>[2]
}

/** An order that was handed over. */
export interface HandedOver {
  job: PrintJob
  /** Whether a file may still come: the service has, or may have, taken the order. */
  isExpected: boolean
  /** Resolves when the download or drawing has ended: whether no file is to be expected. Never rejects. */
  fetched?: Promise<boolean>
}

/** Name of its print file. */
export const nameOf = ({ orderId, itemId }: Pick<ExportOrder, 'orderId' | 'itemId'>) =>
  itemId === undefined ? String(orderId) : `${orderId}_${itemId}`
