// What an export hands over, to the service or to the renderer, and what comes of it.
import type { PrintJob } from '../repositories/print-jobs.ts'

export interface ExportOrder {
  orderId: number
  orderType: string
  itemId: number | undefined
  /** JSON text of the stored customization. */
  customization: string
}

/** An order that was handed over. */
export interface HandedOver {
  job: PrintJob
  /** Whether a file may still come: the service has, or may have, taken the order. */
  isExpected: boolean
  /** Ends when the file that is fetched or drawn here is there, or cannot be; whether nothing more will come. Never rejects. */
  fetched?: Promise<boolean>
}

/** How its print file is called. */
export const nameOf = ({ orderId, itemId }: Pick<ExportOrder, 'orderId' | 'itemId'>) =>
  itemId === undefined ? String(orderId) : `${orderId}_${itemId}`
