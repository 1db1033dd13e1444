// Finds a page at any offset of a long list that is ordered by id, or by another number that grows, such as a time. An offset alone would make the engine walk over all rows before the
// page. So rows are counted once by windows of ids, for example of 4,096; the counts say in which window the page begins, and only
// the rows of that window are skipped. The counts are remembered for a minute.
import { type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { membersOf } from '../core/foreign.ts'
import { countOf } from './repository.ts'
import type { Tables } from './tables.ts'

/** Up to this offset the engine skips the rows, without windows. */
export const nearOffset = 5000
/** A window has at least 2 ** minBits = 4,096 ids. */
const minBits = 12
const maxWindows = 1024
/** Number of rows behind the windows from which they are counted again. */
const maxNewer = 20_000
/** Milliseconds after which windows are counted again. Removed rows show earlier, by a total that differs. */
const maxAge = 60_000
/** Maximum number of lists whose windows are remembered. */
const maxLists = 50

interface List<DB, TB extends keyof DB, O> {
  /** Identifies list and filters: the windows are remembered under this name. */
  name: string
  /** The query of its rows with filters, without order. */
  rows: SelectQueryBuilder<DB, TB, O>
  /** Column with the ids, or with other numbers by which the list is ordered; several rows may have one. */
  id: string
  order: 'asc' | 'desc'
}

/** Where to read a page. */
export interface PageStart {
  /** Read only ids from here on (ascending) or below (descending); undefined for the beginning of the list. */
  bound: number | undefined
  /** Number of rows to skip behind `bound`. */
  offset: number
  /**
   * Where the page ended when the windows were counted: its ids are below (ascending) or from here on (descending). With both ends
   * engines read a range instead of all rows of a filter. If rows were removed since, the page is longer than this range.
   */
  end?: number | undefined
}

interface CountedWindows {
  /** As `performance.now()`. */
  countedAt: number
  /** Ascending: the first id of each window, and the number of its rows. */
  windows: { first: number; count: number }[]
  /** Number of rows in the windows. */
  total: number
  /** The first id behind the windows. */
  end: number
  /** Number of rows from `end` on, which new rows increase. */
  newer: number
}

/** Counts and page starts of the lists in a database. Keep one for as long as the database is used. */
export function pageWindows(db: Kysely<Tables>) {
  /** By `List.name`. */
  const cache = new Map<string, CountedWindows>()

  /** Counts the windows of a list, and remembers them. */
  async function countWindows<DB, TB extends keyof DB, O>({
    name,
    rows,
    id,
  }: List<DB, TB, O>): Promise<CountedWindows> {
    const column = sql<number>`${sql.ref(id)}`
    const lastRow = await rows.select(column.as('id')).orderBy(column, 'desc').limit(1).executeTakeFirst()
    const lastId = lastRow ? Number(membersOf(lastRow).id) : 0
    const bits = Math.max(minBits, Math.ceil(Math.log2((lastId + 1) / maxWindows)))
    // The number of a window is an id without its lowest bits.
    const counts = await rows
      .select([sql<number>`${column} >> ${sql.lit(bits)}`.as('number'), sql<number>`count(*)`.as('count')])
      .groupBy(sql`${column} >> ${sql.lit(bits)}`)
      .execute()
    const windows = counts
      .map((row) => ({
        first: Number(membersOf(row).number) * 2 ** bits,
        count: Number(membersOf(row).count),
      }))
      .sort((a, b) => a.first - b.first)
    // The last window still grows, so its rows count as newer.
    const growing = windows.pop()
    const total = windows.reduce((sum, { count }) => sum + count, 0)
    const result = {
      countedAt: performance.now(),
      windows,
      total,
      end: growing?.first ?? 0,
      newer: growing?.count ?? 0,
    }
    if (cache.size >= maxLists) cache.clear()
    cache.set(name, result)
    return result
  }

  /** The remembered windows; undefined if there are none, or if they are too old. */
  function recent(name: string): CountedWindows | undefined {
    const counted = cache.get(name)
    return counted && performance.now() - counted.countedAt < maxAge && counted.newer < maxNewer
      ? counted
      : undefined
  }

  return {
    /**
     * The number of rows of a list, for its page at this offset. Forgets the windows if the count shows that rows in them were
     * removed. Called before `start`, beyond `nearOffset`, this page is right after a removal; called after it, the next one.
     */
    async count<DB, TB extends keyof DB, O>(list: List<DB, TB, O>, offset: number): Promise<number> {
      const { name, rows, id } = list
      const counted = recent(name)
      if (!counted) {
        if (offset <= nearOffset) return countOf(rows)
        const { total, newer } = await countWindows(list)
        return total + newer
      }
      const isNewer = sql<SqlBool>`${sql.ref(id)} >= ${counted.end}`
      const number = sql<number>`count(*)`.as('number')
      // Both in one statement, which reads one state of the table.
      const { rows: counts } = await sql<{ total: number; newer: number }>`
        select (${rows.select(number)}) as total, (${rows.where(isNewer).select(number)}) as newer`.execute(
        db,
      )
      const [total, newer] = [Number(counts[0]?.total), Number(counts[0]?.newer)]
      if (total === counted.total + newer) counted.newer = newer
      else cache.delete(name)
      return total
    },

    /** Where the page at this offset begins. */
    async start<DB, TB extends keyof DB, O>(
      list: List<DB, TB, O>,
      offset: number,
      limit: number,
    ): Promise<PageStart> {
      if (offset <= nearOffset) return { bound: undefined, offset }
      const inOrder = windowsInOrder(recent(list.name) ?? (await countWindows(list)), list.order)
      const firstIndex = inOrder.findIndex(({ rowsUpTo }) => offset < rowsUpTo)
      // An offset behind all rows begins in the last window.
      const first = inOrder.at(firstIndex < 0 ? -1 : firstIndex)
      const last = inOrder.find(({ rowsUpTo }) => rowsUpTo >= offset + limit)
      if (!first) return { bound: undefined, offset }
      return { bound: first.begin, offset: offset - (first.rowsUpTo - first.count), end: last?.end }
    },
  }
}

/** A window in the order of the list. */
interface OrderedWindow {
  count: number
  /** Number of rows from the beginning of the list to its end. */
  rowsUpTo: number
  /** As `PageStart.bound` for its first row. */
  begin: number | undefined
  /** As `PageStart.end` for its last row. */
  end: number | undefined
}

/** The windows in the order of the list, with the rows behind them as one more window. */
function windowsInOrder({ windows, end, newer }: CountedWindows, order: 'asc' | 'desc'): OrderedWindow[] {
  const ascending = [...windows, { first: end, count: newer }].map(({ first, count }, index, list) => ({
    first,
    count,
    next: list[index + 1]?.first,
  }))
  let rowsUpTo = 0
  return (order === 'asc' ? ascending : ascending.toReversed()).map(({ first, count, next }) => {
    rowsUpTo += count
    return order === 'asc'
      ? { count, rowsUpTo, begin: first, end: next }
      : { count, rowsUpTo, begin: next, end: first }
  })
}
