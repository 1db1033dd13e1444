// The listeners of the host as functions that services call without knowing the options.
import { type ListenerFailed, notifyListener } from '../db/after-commit.ts'
import type { MetaChange } from '../orders/source.ts'
import type { PrintJobChange } from '../print/complete-job.ts'
import type { OrderCreated, SvcContextOptions } from './context-options.ts'

interface Log {
  error(details: object, message: string): void
}

/** See `hostListeners`. */
export type HostListeners = ReturnType<typeof hostListeners>

/**
 * Functions that call the listeners of the options after COMMIT, and resolve when these have ended. A listener that fails is logged
 * and has no other effect; an option that is not set does nothing.
 */
export function hostListeners(log: Log, options: SvcContextOptions) {
  const failed: ListenerFailed = (message, error) => log.error({ err: error }, message)
  return {
    /** Logs that a listener failed. */
    failed,
    optionsChanged: (keys: string[]) =>
      notifyListener('onOptionsChanged', options.onOptionsChanged, keys, failed),
    printJobChanged: (change: PrintJobChange) =>
      notifyListener('onPrintJobChanged', options.onPrintJobChanged, change, failed),
    metaChanged: (change: MetaChange) =>
      notifyListener('onMetaChanged', options.onMetaChanged, change, failed),
    orderCreated: (order: OrderCreated) =>
      notifyListener('onOrderCreated', options.onOrderCreated, order, failed),
  }
}
