// Finds the form entries that have become printable: they are paid, perhaps long after newer ones.
import { sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { joinedRows } from './auto-print-rows.ts'
import { printableStatusesOf } from './printable.ts'
import { maxFound, type PrintablePlace, placeQueries } from './printable-place.ts'
import { foreignTables } from './tables.ts'

/** Where a look at form entries continues. */
export interface EntryCursor {
  /** The newest id that a look has seen. */
  last: number
  /** Entries up to this id are never printed automatically. */
  above: number
  /** Older entries with ids up to this one are read again by the next thorough look. */
  sweep: number
}

/** Ids that are read again, because entries are paid later. */
const lateEntries = 2000
/** Ids of older entries in one thorough look. Looks go from the newest to the oldest, and then begin again. */
const sweptEntries = 10_000

/** No index finds the entries that were paid last, so thorough looks read the older ones, a part of their ids after the other. */
export function formEntries(database: Database): PrintablePlace<EntryCursor> {
  const { f } = foreignTables(database)
  const { items, newestId } = placeQueries(database)
  const paidStatuses = [...(printableStatusesOf('gf', []) ?? [])]

  /** The paid entries that automatic printing has not recorded (auto-print-rows.ts), with ids above `from` up to `until`. */
  const printable = (from: number, until = Number.MAX_SAFE_INTEGER) => {
    const payment = sql`coalesce(nullif(lower(e.payment_status), ''), 'active')`
    const rows = joinedRows(database, 'gf', sql.ref('e.id'))
    return items(sql`select e.id as ${sql.ref('orderId')}, 0 as ${sql.ref('itemId')} from ${sql.table(f.entries)} as e
      ${rows.join} where ${rows.hasNone} and e.id > ${from} and e.id <= ${until}
        and e.status = 'active' and ${payment} in (${sql.join(paidStatuses)})
        and e.form_id in (select form_id from ${sql.table(f.formMeta)} where display_meta like '%svc-order%')
      limit ${maxFound}`)
  }
  /** The id above which every look reads entries again. @param last the newest id */
  const recentFrom = (last: number) => Math.max(0, last - lateEntries)

  return {
    type: 'gf',
    async newest(_now, cursor, { isThorough } = { isThorough: false }) {
      const last = await newestId(f.entries, 'id')
      if (!cursor) return { last, above: recentFrom(last), sweep: last }
      const { above, sweep } = cursor
      if (!isThorough) return { last, above, sweep }
      const swept = sweep - sweptEntries
      return { last, above, sweep: swept > above ? swept : last }
    },
    earlier: ({ cursor }) => printable(cursor.above),
    async find({ cursor: { last, above, sweep } }, { isThorough }) {
      // `last` falls when the newest entries are deleted.
      const recent = await printable(Math.max(above, recentFrom(last)))
      if (!isThorough || recent.length === maxFound) return recent
      return [...recent, ...(await printable(Math.max(above, sweep - sweptEntries), sweep))]
    },
  }
}
