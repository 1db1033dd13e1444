// Handles each change: writes audit entry and outbox rows in its transaction, calls listener and deliveries after its commit.
import { currentAuthor } from '../core/change.ts'
import { type ListenerFailed, notifyListener } from '../db/after-commit.ts'
import type { ChangeFeed, Connection } from '../db/connect.ts'
import { auditTrail } from './audit.ts'
import { deliveryLoop } from './delivery-loop.ts'
import { type ChangeOptions, endpointsOf, typeOf } from './options.ts'
import { outbox } from './outbox.ts'

/** The readers of changes: those that are stored with each write, and those that hear of it after its commit. */
export interface Changes extends ChangeFeed {
  /** Begins to deliver and to remove what is old, once the tables are there. */
  start(): void
  /** Aborts running deliveries. */
  stop(): void
  /** Gives all leases back, within five seconds. */
  close(): Promise<void>
}

interface Log {
  failed: ListenerFailed
  warn: (details: object, message: string) => void
}

/** Milliseconds between two removals of old rows, and for giving leases back. */
const betweenSweeps = 10 * 60_000
const closeTime = 5000

/**
 * Undefined if nobody wants to know of changes, which then cost nothing.
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
      const types = changes.map(typeOf)
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
      const { promise: enough, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, closeTime)
      await Promise.race([Promise.all(loops.map((loop) => loop.ended())), enough])
      clearTimeout(timer)
    },
  }
}

/**
 * Ends and removes the events that a host left in the outbox when it removed all of its webhooks: looks for them after each
 * pause, until none is left. Needs the table. The first pause comes first, so that neither a start nor a process that soon
 * ends, such as a command, costs anything or writes.
 */
export function leftEvents(
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
