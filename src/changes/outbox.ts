// The outbox: rows of `svc_api_outbox`. Each is an event for one endpoint, written in the transaction of its change. A lease
// gives it to one process at a time, until it is delivered, or dead after its last attempt.
import { hash, randomUUID } from 'node:crypto'
import { type CompiledQuery, type Expression, type SqlBool, sql } from 'kysely'
import type { Change } from '../core/change.ts'
import type { Connection } from '../db/connect.ts'
import { isAny } from '../db/repository.ts'
import { retried } from '../db/transaction.ts'
import { type Endpoint, eventTypeOf } from './endpoints.ts'
import { removeOld, rowInserts } from './row-inserts.ts'

/** An event that this process has leased. */
export interface Delivery {
  /** Id of the row. */
  id: number
  /** The `webhook-id`, which all endpoints of the event share. */
  eventId: string
  type: string
  /** JSON text. */
  body: string
  /** How many attempts failed. */
  attempts: number
  /** Whether its day of retries is over, so that this attempt is the last. */
  isLast: boolean
}

/** Seconds between the attempts of one event: about a day in total. */
export const pauses = [5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 28_800]
/** A pause up to a tenth longer, so that events that failed together are not sent again together. */
export const jittered = (seconds: number) => seconds * (1 + Math.random() / 10)
/** The longest result of `jittered`. */
const longestPause = (seconds: number) => Math.ceil(seconds * 1.1)
/** Seconds for which an event is retried. */
export const retryTime = 24 * 3600
/** Seconds after which delivered events are removed. */
const deliveredAge = 7 * 86_400
/** Seconds after which dead events are removed. */
const deadAge = 30 * 86_400
/**
 * Seconds after which an event is dead if the process that sweeps does not have its endpoint: long after `retryTime`, when a process
 * with the endpoint would have delivered or ended it.
 */
const orphanAge = 3 * 86_400
/** Resources whose entries depend on each other, as list items do: all their events are delivered in one order. */
const orderedResources = new Set(['text_template', 'color_library'])

/** Events with the same subject are delivered one after the other. */
const subjectOf = ({ resource, id }: Change) =>
  hash('sha256', orderedResources.has(resource) ? resource : `${resource}:${id}`)

/** Columns of a new event, besides its time. */
const newEventColumns = ['origin', 'event_id', 'endpoint', 'subject', 'type', 'payload'] as const

/** Adds events in the transaction of their change, leases them to processes and settles their deliveries. */
export function outbox({ db, dialect, t }: Pick<Connection, 'db' | 'dialect' | 't'>) {
  const table = t.api_outbox

  const insertsOf = rowInserts(newEventColumns, (rows) =>
    db.insertInto(table).values(rows.map((row) => ({ created_at: dialect.now, ...row }))),
  )

  /** Settles a row, if this process still has its lease. */
  async function settle(delivery: Pick<Delivery, 'id'>, owner: string, change: object): Promise<void> {
    await retried(dialect, () =>
      db
        .updateTable(table)
        .set({ ...change, lease_owner: '', lease_until: 0 })
        .where('ID', '=', delivery.id)
        .where('lease_owner', '=', owner)
        .execute(),
    )
  }

  /**
   * Whether an event waits for its next attempt, and within the pauses of `pauses`. The CASE maps the number of attempts to the
   * longest pause after it; an event beyond that waits because the receiver asked for it by Retry-After.
   */
  const waitsAsScheduled = sql<SqlBool>`next_at > ${dialect.now} and next_at <= ${dialect.now} + case attempts ${sql.join(
    pauses.map((seconds, index) => sql`when ${sql.lit(index + 1)} then ${sql.lit(longestPause(seconds))}`),
    sql` `,
  )} else 0 end`

  /**
   * Leases those of the events that are pending, not leased and meet the condition, and reads them by the owner. Only one of
   * several processes can lease an event.
   * @param owner a random id of this lease
   */
  async function lease(
    ids: number[],
    owner: string,
    leaseSeconds: number,
    condition: Expression<SqlBool> = sql<SqlBool>`1 = 1`,
  ): Promise<Delivery[]> {
    await retried(dialect, () =>
      db
        .updateTable(table)
        .set({
          lease_owner: owner,
          lease_until: sql<number>`${dialect.now} + ${leaseSeconds}`,
        })
        .where('ID', 'in', ids)
        .where('state', '=', 'pending')
        .where('lease_until', '<=', dialect.now)
        .where(condition)
        .execute(),
    )
    const rows = await db
      .selectFrom(table)
      .select(['ID', 'event_id', 'type', 'payload', 'attempts'])
      .select(sql<number>`${dialect.now} - created_at`.as('age'))
      .where('lease_owner', '=', owner)
      .where('ID', 'in', ids)
      .orderBy('ID')
      .execute()
    return rows.map((row) => ({
      id: row.ID,
      eventId: row.event_id,
      type: row.type,
      body: row.payload ?? '',
      attempts: row.attempts,
      isLast: Number(row.age) >= retryTime,
    }))
  }

  const removeDone = (state: 'delivered' | 'dead', seconds: number) =>
    removeOld({ db, dialect }, { table, column: 'done_at', seconds, condition: sql`state = ${state}` })

  return {
    /** The inserts of the events for the endpoints that get them, for the transaction that makes the changes. */
    inserts(changes: readonly Change[], endpoints: readonly Endpoint[]): Iterable<CompiledQuery> {
      const timestamp = new Date().toISOString()
      const rows = changes.flatMap((change) => {
        const type = eventTypeOf(change)
        const receivers = endpoints.filter(({ wants }) => wants(type))
        if (receivers.length === 0) return []
        const event_id = `evt_${randomUUID()}`
        const payload = JSON.stringify({ type, timestamp, data: change })
        return receivers.map(({ id, url }) => ({
          origin: url.origin.slice(0, 255),
          event_id,
          endpoint: id,
          subject: subjectOf(change),
          type,
          payload,
        }))
      })
      return insertsOf(rows)
    },

    /**
     * Leases the oldest due events of an endpoint. An event waits until those before it about the same resource are
     * delivered or dead.
     */
    async claim(endpoint: string, limit: number, owner: string, leaseSeconds: number): Promise<Delivery[]> {
      const due = await db
        .selectFrom(`${table} as o`)
        .select('o.ID')
        .where('o.endpoint', '=', endpoint)
        .where('o.state', '=', 'pending')
        .where('o.next_at', '<=', dialect.now)
        .where('o.lease_until', '<=', dialect.now)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom(`${table} as e`)
                .select('e.ID')
                .where('e.endpoint', '=', endpoint)
                .whereRef('e.subject', '=', 'o.subject')
                .where('e.state', '=', 'pending')
                .whereRef('e.ID', '<', 'o.ID'),
            ),
          ),
        )
        .orderBy('o.next_at')
        .orderBy('o.ID')
        .limit(limit)
        .execute()
      if (due.length === 0) return []
      return lease(
        due.map(({ ID }) => ID),
        owner,
        leaseSeconds,
      )
    },

    /**
     * Leases the oldest pending event of an endpoint before its next attempt is due; undefined if there is none, or if the
     * receiver asked for a longer pause than `pauses` has.
     */
    async claimEarly(endpoint: string, owner: string, leaseSeconds: number): Promise<Delivery | undefined> {
      const oldest = await db
        .selectFrom(table)
        .select('ID')
        .where('endpoint', '=', endpoint)
        .where('state', '=', 'pending')
        .orderBy('ID')
        .limit(1)
        .executeTakeFirst()
      if (!oldest) return undefined
      return (await lease([oldest.ID], owner, leaseSeconds, waitsAsScheduled))[0]
    },

    /** Makes the events of an endpoint due that wait for their next attempt, except those that `claimEarly` omits. */
    pullForward: (endpoint: string) =>
      retried(dialect, () =>
        db
          .updateTable(table)
          .set({ next_at: 0 })
          .where('endpoint', '=', endpoint)
          .where('state', '=', 'pending')
          .where(waitsAsScheduled)
          .execute(),
      ),

    /** Records a successful attempt. */
    delivered: (delivery: Delivery, owner: string) =>
      settle(delivery, owner, {
        state: 'delivered',
        attempts: delivery.attempts + 1,
        done_at: dialect.now,
        error: '',
      }),

    /** Records a failed attempt. @param seconds until the next one; undefined if there is none: the event is dead */
    failed: (delivery: Delivery, owner: string, error: string, seconds: number | undefined) =>
      settle(delivery, owner, {
        attempts: delivery.attempts + 1,
        error: error.slice(0, 255),
        ...(seconds === undefined
          ? { state: 'dead', done_at: dialect.now }
          : { next_at: sql<number>`${dialect.now} + ${Math.ceil(seconds)}` }),
      }),

    /** Ends a lease without a result: the event can be sent again at once. */
    release: (delivery: Delivery, owner: string) => settle(delivery, owner, {}),

    /** Whether the table has any event. */
    hasRows: () => isAny(db.selectFrom(table).select('ID').limit(1)),

    /**
     * Removes old delivered and dead events, and ends pending ones of other endpoints after `orphanAge`.
     * @param endpoints ids of the endpoints of this process, whose pending events stay
     */
    async sweep(endpoints: readonly string[]): Promise<void> {
      await removeDone('delivered', deliveredAge)
      await removeDone('dead', deadAge)
      await db
        .updateTable(table)
        .set({ state: 'dead', done_at: dialect.now, error: 'No process has this endpoint any more.' })
        .where('state', '=', 'pending')
        .$if(endpoints.length > 0, (query) => query.where('endpoint', 'not in', [...endpoints]))
        .where('created_at', '<', sql<number>`${dialect.now} - ${orphanAge}`)
        .where('lease_until', '<=', dialect.now)
        .execute()
    },
  }
}

export type Outbox = ReturnType<typeof outbox>
