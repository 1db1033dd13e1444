// Handles each change: writes its audit entry and outbox rows in its transaction, calls the listener and starts deliveries after
// its commit.
import { currentAuthor } from '../core/change.ts'
import { type ListenerFailed, notifyListener } from '../db/after-commit.ts'
import type { ChangeFeed, Connection } from '../db/connect.ts'
import { auditTrail } from './audit.ts'
import { deliveryLoop } from './delivery-loop.ts'
import { endpointsOf, eventTypeOf } from './endpoints.ts'
import type { ChangeOptions } from './options.ts'
import { outbox } from './outbox.ts'

/** The consumers of changes of one context. */
export interface Changes extends ChangeFeed {
  /** Begins to deliver events and to remove old rows. Call it when the tables exist. */
  start(): void
  /** Aborts running deliveries, and ends the removal of old rows. */
  stop(): void
  /** Stops, and waits up to `closeTime` until all leases are released, so that other processes can send these events at once. */
  close(): Promise<void>
}

interface Log {
  /** Called if the listener throws or takes too long. */
  failed: ListenerFailed
  /** Logs what an operator should know. */
  warn: (details: object, message: string) => void
}

/** Milliseconds between two removals of old rows. */
const betweenSweeps = 10 * 60_000
/** Milliseconds that `close` waits for the release of leases; those that remain end by themselves. */
const closeTime = 5000

/**
 * Opens the consumers that the options name; undefined if they name none: then changes cost nothing.
 * @throws Error with a sentence if an option is wrong
 */
export function changeFeed(
  connection: Connection,
  { onChange, audit, webhooks }: ChangeOptions,
  { failed, warn }: Log,
): Changes | undefined {
  const endpoints = endpointsOf(webhooks)
  const hasOutbox = endpoints.length > 0
  if (!onChange && !audit && !hasOutbox) return undefined
  const { keepDays = 90 } = typeof audit === 'object' ? audit : {}
  const trail = auditTrail(connection)
  const queue = outbox(connection)
  /** In the order of `endpoints`; empty before `start`. */
  let loops: ReturnType<typeof deliveryLoop>[] = []
  let sweeping: NodeJS.Timeout | undefined

  const sweep = () =>
    Promise.all([
      audit && trail.sweep(keepDays),
      hasOutbox && queue.sweep(endpoints.map(({ id }) => id)),
    ]).catch((error) => warn({ err: error }, 'Old audit entries and webhook events could not be removed.'))

  return {
    tables: [...(audit ? (['api_audit'] as const) : []), ...(hasOutbox ? (['api_outbox'] as const) : [])],

    *inserts(changes) {
      if (audit) yield* trail.inserts(changes)
      if (hasOutbox) yield* queue.inserts(changes, endpoints)
    },

    report(changes) {
      for (const change of onChange ? changes : []) {
        // The listener runs at once; the request waits for it before it responds.
        const notified = notifyListener('onChange', onChange, change, failed)
        currentAuthor()?.waits.push(notified)
      }
      const types = changes.map(eventTypeOf)
      for (const [index, loop] of loops.entries())
        if (types.some((type) => endpoints[index]?.wants(type))) loop.kick()
    },

    start() {
      loops = endpoints.map((endpoint) => deliveryLoop({ endpoint, outbox: queue, warn }))
      for (const loop of loops) loop.kick()
      if (!audit && !hasOutbox) return
      void sweep()
      sweeping = setInterval(sweep, betweenSweeps).unref()
    },

    stop() {
      clearInterval(sweeping)
      for (const loop of loops) loop.stop()
    },

    async close() {
      this.stop()
      const { promise: timeIsUp, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, closeTime)
      await Promise.race([Promise.all(loops.map((loop) => loop.ended())), timeIsUp])
      clearTimeout(timer)
    },
  }
}

/**
 * Ends and removes the events that remained in the outbox when a host removed all of its webhooks: looks for them after each
 * pause, until none remains. Needs the table. It begins with a pause, so that neither a start nor a process that soon ends, such
 * as a command, costs anything or writes.
 * @param pause milliseconds
 * @returns `stop`, and `ended`, which resolves when no events remain or it was stopped
 */
export function endLeftoverEvents(
  connection: Pick<Connection, 'db' | 'dialect' | 't'>,
  warn: (details: object, message: string) => void,
  pause = betweenSweeps,
) {
  const queue = outbox(connection)
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let isStopped = false

  function stop(): void {
    isStopped = true
    clearInterval(timer)
    resolve()
  }

  async function look(): Promise<void> {
    try {
      if (await queue.hasRows()) await queue.sweep([])
      else stop()
    } catch (error) {
      if (!isStopped) warn({ err: error }, 'The webhook events that were left could not be removed.')
    }
  }

  const timer = setInterval(look, pause).unref()
  return { stop, ended }
}
