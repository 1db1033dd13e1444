// Finds pages of a long list in the order of its ids: rows are counted by windows of ids, so that a page far from both ends
// skips the rows of one window only.
import { type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { countOf } from './repository.ts'
import type { Tables } from './tables.ts'

/** Up to this offset rows are skipped one by one. */
export const nearOffset = 5000
/** Least bits of a window: it has 4,096 ids. */
const minBits = 12
const maxWindows = 1024
/** Rows before the windows after which they are counted again. */
const maxNewer = 20_000
/** In milliseconds. Until then a total that differs shows that rows were removed. */
const maxAge = 60_000
const maxLists = 50

interface List<DB, TB extends keyof DB, O> {
  /** Under which its windows are remembered. */
  name: string
  /** Its rows without order, by their filters alone. */
  rows: SelectQueryBuilder<DB, TB, O>
  /** Column with the ids. */
  id: string
  order: 'asc' | 'desc'
}

/** Where to read a page: `offset` rows behind the first of those whose ids are from or, in descending order, below `bound`. */
export interface PageStart {
  bound: number | undefined
  offset: number
  /**
   * Where the page ended when the windows were counted: its ids are below or, in descending order, from it. With both ends
   * engines read a range, where they would walk over all rows of a filter. If rows are missing, the page goes beyond.
   */
  end?: number | undefined
}

interface Windows {
  since: number
  /** Ascending: the first id of each window and its rows. */
  windows: { first: number; count: number }[]
  total: number
  /** The first id behind the windows, and the rows from there on. */
  end: number
  newer: number
}

export function pageWindows(db: Kysely<Tables>) {
  const cache = new Map<string, Windows>()

  async function windowsOf<DB, TB extends keyof DB, O>({
    name,
    rows,
    id,
  }: List<DB, TB, O>): Promise<Windows> {
    const column = sql<number>`${sql.ref(id)}`
    const last = await rows.select(column.as('id')).orderBy(column, 'desc').limit(1).executeTakeFirst()
    const lastId = last ? Number(Reflect.get(last, 'id')) : 0
    const bits = Math.max(minBits, Math.ceil(Math.log2((lastId + 1) / maxWindows)))
    const found = await rows
      .select([sql<number>`${column} >> ${sql.lit(bits)}`.as('number'), sql<number>`count(*)`.as('count')])
      .groupBy(sql`${column} >> ${sql.lit(bits)}`)
      .execute()
    const windows = found
      .map((row) => ({
        first: Number(Reflect.get(row, 'number')) * 2 ** bits,
        count: Number(Reflect.get(row, 'count')),
      }))
      .sort((a, b) => a.first - b.first)
    // The last one still grows.
    const top = windows.pop()
    const total = windows.reduce((sum, { count }) => sum + count, 0)
    const result = {
      since: performance.now(),
      windows,
      total,
      end: top?.first ?? 0,
      newer: top?.count ?? 0,
    }
    if (cache.size >= maxLists) cache.clear()
    cache.set(name, result)
    return result
  }

  /** Those that are remembered and not too old. */
  function recent(name: string): Windows | undefined {
    const found = cache.get(name)
    return found && performance.now() - found.since < maxAge && found.newer < maxNewer ? found : undefined
  }

  return {
    /** The number of rows. Windows that it contradicts are forgotten. */
    async count<DB, TB extends keyof DB, O>(list: List<DB, TB, O>, offset: number): Promise<number> {
      const { name, rows, id } = list
      const found = recent(name)
      if (!found) {
        if (offset <= nearOffset) return countOf(rows)
        const { total, newer } = await windowsOf(list)
        return total + newer
      }
      const isNewer = sql<SqlBool>`${sql.ref(id)} >= ${found.end}`
      const number = sql<number>`count(*)`.as('number')
      // Both in one statement, which reads one state of the table.
      const { rows: counts } = await sql<{ total: number; newer: number }>`
        select (${rows.select(number)}) as total, (${rows.where(isNewer).select(number)}) as newer`.execute(
        db,
      )
      const [total, newer] = [Number(counts[0]?.total), Number(counts[0]?.newer)]
      if (total === found.total + newer) found.newer = newer
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
      const { windows, end, newer } = recent(list.name) ?? (await windowsOf(list))
      const ascending = [...windows, { first: end, count: newer }]
      const isAscending = list.order === 'asc'
      const all = ascending.map((window, i) => {
        const above = ascending[i + 1]?.first
        return {
          ...window,
          near: isAscending ? window.first : above,
          far: isAscending ? above : window.first,
        }
      })
      if (!isAscending) all.reverse()
      let before = 0
      for (const [i, { near, count }] of all.entries()) {
        const isLast = i === all.length - 1
        if (!isLast && offset >= before + count) {
          before += count
          continue
        }
        let rows = before
        const last = all.slice(i).find((window) => {
          rows += window.count
          return rows >= offset + limit
        })
        return { bound: near, offset: offset - before, end: last?.far }
      }
      return { bound: undefined, offset }
    },
  }
}
