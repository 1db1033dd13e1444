// Lists the events of the outbox that wait or are dead, and sends them again, for operators: `svc-api webhooks`.
import type { Connection } from '../db/connect.ts'
import { scannedRows } from '../db/scanned-rows.ts'
import { isoTime } from '../db/time.ts'
import type { WebhookQuery } from './queries.ts'

/** An event on its way to one endpoint. */
export interface WebhookEvent {
  /** The `webhook-id` of all its deliveries. */
  id: string
  /** For example `product.updated`. */
  type: string
  /** Origin of the endpoint's URL. */
  endpoint: string
  state: 'pending' | 'delivered' | 'dead'
  /** Deliveries that failed, and the last one if it succeeded. */
  attempts: number
  /** Why the last delivery failed; null if it did not. */
  error: string | null
  /** When it was written, or replayed; ISO 8601. */
  queued_at: string
  /** When it is sent at the earliest; null unless it is pending. */
  next_at: string | null
}

/** Lists the events of the outbox, and starts their deliveries again. */
export function outboxEvents({ db, dialect, t }: Pick<Connection, 'db' | 'dialect' | 't'>) {
  const table = t.api_outbox

  /** Makes events pending again that are delivered or dead; returns how many. */
  async function requeue(ids: number[]): Promise<number> {
    if (ids.length === 0) return 0
    const { numUpdatedRows } = await db
      .updateTable(table)
      .set({ state: 'pending', created_at: dialect.now, next_at: 0, attempts: 0, done_at: 0 })
      .where('ID', 'in', ids)
      .where('state', '!=', 'pending')
      .executeTakeFirst()
    return Number(numUpdatedRows)
  }

  return {
    /** Pending and dead events, or dead ones alone, oldest first. */
    async list({ dead = false, limit = 100 }: WebhookQuery): Promise<WebhookEvent[]> {
      const rows = await db
        .selectFrom(table)
        .select(['event_id', 'type', 'origin', 'state', 'attempts', 'error', 'created_at', 'next_at'])
        .where('state', 'in', dead ? ['dead'] : ['pending', 'dead'])
        .orderBy('ID')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        id: row.event_id,
        type: row.type,
        endpoint: row.origin,
        state: row.state as WebhookEvent['state'],
        attempts: row.attempts,
        error: row.error || null,
        queued_at: isoTime(row.created_at) ?? '',
        next_at: row.state === 'pending' ? (isoTime(row.next_at) ?? isoTime(row.created_at)) : null,
      }))
    },

    /** Sends an event again, with the same id. @returns to how many endpoints; 0 if it is unknown or still waits */
    async replay(id: string): Promise<number> {
      const rows = await db.selectFrom(table).select(['ID', 'event_id']).where('event_id', '=', id).execute()
      return requeue(rows.filter(({ event_id }) => event_id === id).map(({ ID }) => ID))
    },

    /** Sends all dead events again, in several statements. @returns how many */
    async replayDead(): Promise<number> {
      let replayed = 0
      const deadEvents = { table, id: 'ID', columns: ['state'], keys: { column: 'state', among: ['dead'] } }
      for await (const rows of scannedRows({ db }, deadEvents))
        replayed += await requeue(rows.map(({ id }) => id))
      return replayed
    },
  }
}
