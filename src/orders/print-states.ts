// The print state of each item: rows of `svc_print_states`, which only this API reads and writes. An item without a row is to be
// printed.
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { noteChange } from '../core/change.ts'
import { invalidParams } from '../core/errors.ts'
import type { Database } from '../db/connect.ts'
import { creatingTable } from '../db/migrate.ts'
import { isoTime } from '../db/time.ts'
import type { WriteTransaction } from '../db/transaction.ts'
import type { OrderType } from './source.ts'

/** The states. `reprint`: the item was printed and is to be printed once more. */
export const printStates = ['to_print', 'printed', 'reprint', 'problem'] as const
/** One of the states. */
export type PrintStateName = (typeof printStates)[number]

/** Identifies an item of an order; `item` is 0 if orders have no items. */
export interface ItemRef {
  type: OrderType
  id: number
  item: number
}

/** A stored state. */
export interface PrintState {
  state: PrintStateName
  note: string
  changed_by: string | null
  /** ISO 8601; null if no state was set. */
  changed_at: string | null
  /** The result of `contentOf` when the state was set, by which a later change of the order is noticed. */
  content: string
}

/** A state to store. */
export interface StateToSet extends ItemRef {
  state: PrintStateName
  note: string
  content: string
}

/** Characters of a note. */
export const maxNote = 500
/** The most items of one call; `removeNotes` takes as many orders in one statement. */
const maxItems = 500

/** The key of an item in maps, and its id in events and the audit trail. */
export const itemKey = ({ type, id, item }: ItemRef) => `${type}:${id}:${item}`

/** A digest of what is printed of an item: its pieces and the digest of its design. */
export const contentOf = (pieces: number | null | undefined, design: string | undefined) =>
  hash('sha256', `${pieces ?? ''} ${design ?? ''}`).slice(0, 32)

/** Whether a state is stored as it is to be set. */
const isStored = ({ state, note, content }: StateToSet, stored: PrintState | undefined) =>
  stored?.state === state && stored.note === note && stored.content === content

/** The print states of one database; none if their table is missing, which the first write creates. */
export function printStatesOf(database: Database) {
  const { db, t, dialect, transaction } = database

  /** The result of a query; an empty list if the table is missing. */
  async function orEmpty<T>(query: () => Promise<T[]>): Promise<T[]> {
    try {
      return await query()
    } catch (error) {
      if (dialect.isMissingTable(error)) return []
      throw error
    }
  }

  /** Writes states in a transaction, and reports the changes. */
  async function put(trx: WriteTransaction, states: readonly StateToSet[], author: string): Promise<void> {
    for (const { type, id, item, state, note, content } of states) {
      const key = { order_ref: `${type}:${id}`, item_id: item }
      const values = { state, note, content, changed_by: author, changed_at: dialect.now }
      const { numUpdatedRows } = await trx
        .updateTable(t.print_states)
        .set(values)
        .where('order_ref', '=', key.order_ref)
        .where('item_id', '=', key.item_id)
        .executeTakeFirst()
      if (numUpdatedRows === 0n)
        await trx
          .insertInto(t.print_states)
          .values({ ...key, ...values })
          .execute()
      noteChange(trx, { resource: 'print_state', action: 'updated', id: itemKey({ type, id, item }) })
    }
  }

  return {
    /** The ids of items that are printed or have a problem, by order such as `wc:7`; orders without such an item are left out. */
    async finished(orders: readonly { type: OrderType; id: number }[]): Promise<Map<string, Set<number>>> {
      if (orders.length === 0) return new Map()
      const refs = orders.map(({ type, id }) => `${type}:${id}`)
      const rows = await orEmpty(() =>
        db
          .selectFrom(t.print_states)
          .select(['order_ref', 'item_id'])
          .where('order_ref', 'in', refs)
          .where('state', 'in', ['printed', 'problem'])
          .execute(),
      )
      const byOrder = Map.groupBy(rows, ({ order_ref }) => order_ref)
      return new Map([...byOrder].map(([ref, items]) => [ref, new Set(items.map(({ item_id }) => item_id))]))
    },

    /** The states of these orders by `itemKey`; items that are to be printed may be absent. */
    async of(orders: readonly { type: OrderType; id: number }[]): Promise<Map<string, PrintState>> {
      if (orders.length === 0) return new Map()
      const refs = orders.map(({ type, id }) => `${type}:${id}`)
      const rows = await orEmpty(() =>
        db.selectFrom(t.print_states).selectAll().where('order_ref', 'in', refs).execute(),
      )
      return new Map(
        rows.map((row) => [
          `${row.order_ref}:${row.item_id}`,
          {
            state: row.state as PrintStateName,
            note: row.note,
            changed_by: row.changed_by || null,
            changed_at: isoTime(row.changed_at),
            content: row.content,
          },
        ]),
      )
    },

    /** The orders with an item in this state, those that were changed last first. */
    async inState(state: PrintStateName, limit: number): Promise<{ type: OrderType; id: number }[]> {
      const rows = await orEmpty(() =>
        db
          .selectFrom(t.print_states)
          .select('order_ref')
          .select((eb) => eb.fn.max('changed_at').as('changed'))
          .where('state', '=', state)
          .groupBy('order_ref')
          .orderBy('changed', 'desc')
          .limit(limit)
          .execute(),
      )
      return rows.map(({ order_ref }) => {
        const [type, id] = order_ref.split(':')
        return { type: type as OrderType, id: Number(id) }
      })
    },

    /** Number of items in this state. */
    async count(state: PrintStateName): Promise<number> {
      const query = db.selectFrom(t.print_states).select(sql<number>`count(*)`.as('number'))
      const rows = await orEmpty(() => query.where('state', '=', state).execute())
      return Number(rows[0]?.number ?? 0)
    },

    /** Removes the notes of these orders, such as `wc:7`; their states stay, so that nothing is printed again. */
    async removeNotes(orderRefs: readonly string[]): Promise<void> {
      for (let start = 0; start < orderRefs.length; start += maxItems) {
        const refs = orderRefs.slice(start, start + maxItems)
        const remove = async (trx: WriteTransaction) => {
          const select = trx.selectFrom(t.print_states).select(['order_ref', 'item_id'])
          const rows = await select.where('order_ref', 'in', refs).where('note', '<>', '').execute()
          if (rows.length === 0) return []
          const update = trx.updateTable(t.print_states).set({ note: '' }).where('order_ref', 'in', refs)
          await update.where('note', '<>', '').execute()
          for (const { order_ref, item_id } of rows)
            noteChange(trx, { resource: 'print_state', action: 'updated', id: `${order_ref}:${item_id}` })
          return []
        }
        await orEmpty(() => transaction(remove))
      }
    },

    /**
     * Sets states, all or none, and creates the table if it is missing.
     * @param by name of the user who sets them
     * @throws SvcError 400 for too many states, or a note that is too long or has several lines; 500 if the table is missing and cannot be
     *   created
     */
    async set(states: readonly StateToSet[], by: string): Promise<void> {
      if (states.length > maxItems) throw invalidParams({ item: `at most ${maxItems} at once` })
      if (states.some(({ note }) => note.length > maxNote || /\p{Cc}/u.test(note)))
        throw invalidParams({ note: `must be one line of at most ${maxNote} characters` })
      const author = by.slice(0, 255)
      const write = () =>
        transaction(
          (trx) => put(trx, states, author),
          // After a connection was lost in a commit: whether the states were written.
          async () => {
            const storedStates = await this.of(states)
            return states.every((target) => isStored(target, storedStates.get(itemKey(target))))
          },
        )
      await creatingTable(database, 'print_states', write)
    },
  }
}
