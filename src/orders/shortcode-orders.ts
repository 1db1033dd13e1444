// The rows of `svc_orders`, orders of the shortcode form, as /shortcode-orders reads and writes them; shortcode-source.ts is the order
// source of their designs.
import type { Kysely } from 'kysely'
import { type Check, type Found, readBack, type Write } from '../core/resource.ts'
import { mapInTurns, turns } from '../core/turns.ts'
import type { Database } from '../db/connect.ts'
import { guardOf } from '../db/guard.ts'
import { countOf, insertedId, resourceWrites } from '../db/repository.ts'
import { stateTag } from '../db/state-tag.ts'
import { readStoredJson } from '../db/stored-json.ts'
import type { Tables, Written } from '../db/tables.ts'
import { currentTime, isoTime } from '../db/time.ts'
import { parseExact } from '../json/parse.ts'
import { isObject } from '../json/values.ts'
import { flagOrders } from '../print/stale-orders.ts'
import type { PageSlice } from './source.ts'

/** A shortcode order as the API returns it. */
export interface ShortcodeOrder {
  id: number
  customer_name: string
  customer_mail: string
  created_date: string | null
  /** JSON string of an array; null when it cannot be read. */
  views: string | null
}

interface ShortcodeOrderFields {
  customer_name?: string
  customer_mail?: string
  views?: unknown[]
}

/** Reads and writes the rows of one database. */
export function shortcodeOrdersRepository(database: Database) {
  const { db, t, dialect, encoder } = database

  function select(executor: Kysely<Tables> = db) {
    return executor
      .selectFrom(t.orders)
      .select(['ID', 'customer_name', 'customer_mail'])
      .select(dialect.epoch('created_date').as('created'))
  }
  type Row = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number] & { views?: string | null }

  const toOrder = async (row: Row): Promise<ShortcodeOrder> => ({
    id: row.ID,
    customer_name: row.customer_name ?? '',
    customer_mail: row.customer_mail ?? '',
    created_date: isoTime(row.created),
    views: row.views === undefined ? null : ((await viewsIn(row.views)) ?? null),
  })

  async function find(id: number, executor?: Kysely<Tables>): Promise<Found<ShortcodeOrder> | undefined> {
    const turn = turns()
    const row = await select(executor).select('views').where('ID', '=', id).executeTakeFirst()
    if (!row) return undefined
    // The driver of SQLite reads a large row in one piece.
    await turn()
    const resource = await toOrder(row)
    await turn()
    return {
      resource,
      state: stateTag(id, row.customer_name, row.customer_mail, row.created, row.views),
      unreadable: resource.views === null ? [{ id, column: 'views' }] : [],
    }
  }

  const lockTable = guardOf(database, 'orders')
  const { write, created, updated, remove } = resourceWrites({
    resource: 'shortcode_order',
    find,
    transaction: database.transaction,
    lockTable,
  })

  return {
    find,

    /** The number of all orders, or of those that `include` names. */
    count: (include?: number[]): Promise<number> =>
      countOf(db.selectFrom(t.orders).$if(include !== undefined, (q) => q.where('ID', 'in', include ?? []))),

    /** A page, newest first; `views` are null unless requested. */
    async list(query: PageSlice & { include?: number[] | undefined; withViews: boolean }) {
      const rows = await select()
        .$if(query.withViews, (q) => q.select('views'))
        .$if(query.include !== undefined, (q) => q.where('ID', 'in', query.include ?? []))
        .orderBy('ID', 'desc')
        .limit(query.limit)
        .offset(query.offset)
        .execute()
      return mapInTurns(rows, toOrder)
    },

    /** Creates an order. */
    create: (fields: ShortcodeOrderFields & { views: unknown[] }, options = readBack) =>
      write(async (trx) => {
        const { customer_name = '', customer_mail = '', views } = fields
        const row = encoder.row('orders', { customer_name, customer_mail, views })
        const id = await insertedId(
          trx.insertInto(t.orders).values({ ...row, print_order: null, created_date: currentTime }),
        )
        return created(trx, id, options)
      }),

    /** Views stay where they are stored: alone, or inside the designer's whole order. */
    update: (id: number, change: Write<ShortcodeOrderFields>) =>
      write(async (trx) => {
        await lockTable(trx)
        const order = await find(id, trx)
        if (!order) return undefined
        const { customer_name, customer_mail, views } = await change.decide(order)
        const turn = turns()
        await flagOrders(database, trx, [`shortcode:${id}`])
        const set: Written<'orders'> = encoder.row('orders', { customer_name, customer_mail })
        if (views) {
          const row = await trx.selectFrom(t.orders).select('views').where('ID', '=', id).executeTakeFirst()
          await turn()
          const next = withViews(row?.views ?? null, views)
          await turn()
          set.views = encoder.json('orders', 'views', 'views', next)
          await turn()
        }
        if (Object.keys(set).length > 0)
          await trx.updateTable(t.orders).set(set).where('ID', '=', id).execute()
        await turn()
        return updated(trx, order, change)
      }),

    /** Deletes an order; undefined when there is none. @throws whatever `check` throws */
    remove: (id: number, check?: Check) =>
      remove(id, check, async (trx) => {
        await flagOrders(database, trx, [`shortcode:${id}`])
        await trx.deleteFrom(t.orders).where('ID', '=', id).execute()
      }),
  }
}

/** Properties of the designer's whole order that may hold the views; the first one found counts. */
const viewProperties = ['product', 'views'] as const

/** Which property of the whole order holds the views; undefined if none does. */
const viewsProperty = (order: Record<string, unknown>) =>
  viewProperties.find((name) => Array.isArray(order[name]))

/** The views of a stored column as JSON of an array, empty if there are none; undefined when they cannot be read. */
async function viewsIn(stored: string | null): Promise<string | undefined> {
  const turn = turns()
  const json = readStoredJson(stored, '[]')?.trim()
  if (json === undefined || json.startsWith('[')) return json
  if (json === 'null') return '[]'
  await turn()
  const order = parseExact(json)
  if (!isObject(order)) return undefined
  await turn()
  const name = viewsProperty(order)
  return JSON.stringify(name ? order[name] : [])
}

/** What to store: the views, or the whole order around them. */
function withViews(stored: string | null, views: unknown): unknown {
  const json = readStoredJson(stored, '[]')
  const order = json?.trimStart().startsWith('{') ? parseExact(json) : undefined
  return isObject(order) ? { ...order, [viewsProperty(order) ?? viewProperties[0]]: views } : views
}
