// The outbox: rows of `svc_api_outbox`, written with each change, leased to one process at a time, and kept until delivered.
import { hash, randomUUID } from 'node:crypto'
import { type CompiledQuery, type Expression, type SqlBool, sql } from 'kysely'
import type { Change } from '../core/change.ts'
import type { Connection } from '../db/connect.ts'
import { isAny } from '../db/repository.ts'
import { retried } from '../db/transaction.ts'
import { type Endpoint, typeOf } from './options.ts'
import { removeOld, rowInserts } from './row-inserts.ts'

/** A row that this process may deliver. */
export interface Delivery {
  id: number
  eventId: string
  type: string
  body: string
  /** How often it was sent in vain. */
  attempts: number
  /** Whether its day of retries is over, so that this attempt is the last. */
  isLast: boolean
}

/** Seconds between the attempts of one event: about a day in total. */
export const pauses = [5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 28_800]
/** Up to a tenth longer, so that events that failed together are not sent again together. */
export const jittered = (seconds: number) => seconds * (1 + Math.random() / 10)
const longest = (seconds: number) => Math.ceil(seconds * 1.1)
/** Seconds for which an event is retried. */
export const retryTime = 24 * 3600
/** Seconds after which events are removed: delivered ones, and dead ones. */
const keptDelivered = 7 * 86_400
const keptDead = 30 * 86_400
/** Seconds after which the events of an endpoint that no process knows any more are dead. */
const orphaned = 3 * 86_400
/** Resources whose entries depend on each other, so that all of them keep their order together. */
const wholes = new Set(['text_template', 'color_library'])

const subjectOf = ({ resource, id }: Change) =>
  hash('sha256', wholes.has(resource) ? resource : `${resource}:${id}`)

type NewEvent = Record<'event_id' | 'endpoint' | 'origin' | 'subject' | 'type' | 'payload', string>

/** Adds events in the transaction of their change, leases them to processes and settles their deliveries. */
export function outbox({ db, dialect, t }: Pick<Connection, 'db' | 'dialect' | 't'>) {
  const table = t.api_outbox

  const insertsOf = rowInserts((rows: NewEvent[]) =>
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

  /** The event waits for its next attempt, and no longer than without the Retry-After of the receiver. */
  const waits = sql<SqlBool>`next_at > ${dialect.now} and next_at <= ${dialect.now} + case attempts ${sql.join(
    pauses.map((seconds, at) => sql`when ${sql.lit(at + 1)} then ${sql.lit(longest(seconds))}`),
    sql` `,
  )} else 0 end`

  /** Leases the events that meet the condition, and reads them. Only one of several processes can lease an event. */
  async function leased(
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
    /** The events of changes for the endpoints that want them, for the transaction that makes the changes. */
    inserts(changes: readonly Change[], endpoints: readonly Endpoint[]): Iterable<CompiledQuery> {
      const timestamp = new Date().toISOString()
      const rows = changes.flatMap((change) => {
        const type = typeOf(change)
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
      return leased(
        due.map(({ ID }) => ID),
        owner,
        leaseSeconds,
      )
    },

    /**
     * The oldest event of an endpoint that waits for its next attempt, for an early one; undefined if there is none, or if
     * the receiver asked to wait longer than `pauses` says.
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
      return (await leased([oldest.ID], owner, leaseSeconds, waits))[0]
    },

    /** Makes all events of an endpoint due that wait for their next attempt, but for those that `claimEarly` omits. */
    pullForward: (endpoint: string) =>
      retried(dialect, () =>
        db
          .updateTable(table)
          .set({ next_at: 0 })
          .where('endpoint', '=', endpoint)
          .where('state', '=', 'pending')
          .where(waits)
          .execute(),
      ),

    delivered: (delivery: Delivery, owner: string) =>
      settle(delivery, owner, {
        state: 'delivered',
        attempts: delivery.attempts + 1,
        done_at: dialect.now,
        error: '',
      }),

    /** @param seconds until the next attempt; undefined if there is none */
    failed: (delivery: Delivery, owner: string, error: string, seconds: number | undefined) =>
      settle(delivery, owner, {
        attempts: delivery.attempts + 1,
        error: error.slice(0, 255),
        ...(seconds === undefined
          ? { state: 'dead', done_at: dialect.now }
          : { next_at: sql<number>`${dialect.now} + ${Math.ceil(seconds)}` }),
      }),

    /** Gives a lease back without a result. */
    release: (delivery: Delivery, owner: string) => settle(delivery, owner, {}),

    hasRows: () => isAny(db.selectFrom(table).select('ID').limit(1)),

    /** Removes what is over, and ends the events of endpoints that are configured nowhere any more. */
    async sweep(endpoints: readonly string[]): Promise<void> {
      await removeDone('delivered', keptDelivered)
      await removeDone('dead', keptDead)
      await db
        .updateTable(table)
        .set({ state: 'dead', done_at: dialect.now, error: 'No process has this endpoint any more.' })
        .where('state', '=', 'pending')
        .$if(endpoints.length > 0, (query) => query.where('endpoint', 'not in', [...endpoints]))
        .where('created_at', '<', sql<number>`${dialect.now} - ${orphaned}`)
        .where('lease_until', '<=', dialect.now)
        .execute()
    },
  }
}

export type Outbox = ReturnType<typeof outbox>
