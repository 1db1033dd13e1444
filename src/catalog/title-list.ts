// The titles of the products of a large shop in memory, for some seconds: searches and lists by title would compare and sort all
// rows for each page. The list only selects: rows are read from the database, and a list that they contradict is not used.
import { outsideRequest } from '../core/deadline.ts'
import type { Database } from '../db/connect.ts'
import { fold } from '../db/fold.ts'
import type { ProductQuery } from './product-statements.ts'
import { inOrderOfIds, matches, readTitles, separator, type Titles, titleAt, titlesState } from './titles.ts'

/** The highest id of a product up to which lists read the table, without this list. */
const smallShop = 20_000
/** Bound of the memory. */
const maxProducts = 1_000_000
/** Milliseconds. What the CMS or another process changes can be seen late, by `maxAge`. From `dueAge` on a list that is used is checked. */
const maxAge = 10_000
const dueAge = 5000
const betweenLoads = 15_000
/** After titles that could not be read, or are too long. */
const afterFailure = 600_000
const betweenSizes = 60_000
const never = Number.NEGATIVE_INFINITY

export interface TitleSettings {
  smallShop?: number
}

export interface Expected {
  id: number
  /** Folded. */
  title: string
}

export type TitleList = ReturnType<typeof titleList>

export function titleList(database: Database, settings: TitleSettings = {}) {
  const { db, t, dialect } = database
  /** What was read last, with the state of the table that it shows. */
  let list: { titles: Titles; signature: string } | undefined
  /** When the table was last seen in that state; `never` if it has changed since. */
  let asOf = never
  /** Counts our writes: what was read before the last one may be out of date. */
  let writes = 0
  let isLarge = false
  /** When the size of the shop was read, and the list was checked. */
  let [sizedAt, checkedAt] = [never, never]
  /** When the list may be read anew. */
  let nextLoad = never

  /** Whether the shop is a large one, as seen once a minute. */
  async function hasMany(): Promise<boolean> {
    // SQLite is read in this process, where another copy has no use.
    if (dialect.name === 'sqlite') return false
    if (performance.now() - sizedAt < betweenSizes) return isLarge
    const row = await db
      .selectFrom(t.products)
      .select((eb) => eb.fn.max('ID').as('last'))
      .executeTakeFirst()
    isLarge = Number(row?.last ?? 0) > (settings.smallShop ?? smallShop)
    sizedAt = performance.now()
    return isLarge
  }

  /** Checks the list, and reads it anew if the table has changed. */
  async function refresh(): Promise<void> {
    const [now, writesBefore] = [performance.now(), writes]
    if (!list && now < nextLoad) return
    const { signature, count } = await titlesState(database)
    if (list?.signature !== signature) {
      if (now < nextLoad) return
      // Until it succeeds: reading all titles in vain costs the database most.
      nextLoad = now + afterFailure
      list = undefined
      const titles = count > maxProducts ? undefined : await readTitles(database)
      if (!titles) return
      list = { titles, signature }
      nextLoad = now + betweenLoads
    }
    asOf = writes === writesBefore ? now : never
  }

  let refreshing: Promise<void> | undefined

  /** @returns when the list was checked */
  function refreshInBackground(): Promise<void> {
    checkedAt = performance.now()
    refreshing ??= outsideRequest(refresh)
      // What fails is done by a later one; until then lists read the table.
      .catch(() => {})
      .finally(() => {
        refreshing = undefined
      })
    return refreshing
  }

  /** The titles, if they may be used; undefined where the table has to be read. */
  async function recent(): Promise<Titles | undefined> {
    if (!(await hasMany())) return undefined
    const now = performance.now()
    if (now - asOf > dueAge && now - checkedAt > dueAge) void refreshInBackground()
    if (!list || now - asOf > maxAge) return undefined
    const { titles } = list
    const newer = await db
      .selectFrom(t.products)
      .select('ID')
      .where('ID', '>', titles.lastId)
      .limit(1)
      .executeTakeFirst()
    if (!newer) return titles
    asOf = never
    return undefined
  }

  return {
    refreshInBackground,

    /** Call it after a write of a product. */
    forget(): void {
      writes++
      asOf = never
    },

    /**
     * The products of a page, and the number of all that match.
     * @param members reads a test for products of the category that the query names; not called without a category
     * @returns undefined where the table has to be read
     */
    async find(query: ProductQuery, members: () => Promise<(id: number) => boolean>) {
      if (query.include !== undefined || query.search?.includes(separator)) return undefined
      const titles = await recent()
      if (!titles) return undefined
      const { ids, isTemplate } = titles
      const isMember = query.category_id === undefined ? () => true : await members()
      const type = query.type === undefined ? undefined : query.type === 'template' ? 1 : 0
      const isWanted = (place: number) =>
        (type === undefined || isTemplate[place] === type) && isMember(ids[place] ?? 0)
      const places = await matches(titles, fold(query.search ?? ''), isWanted)
      const found = query.order_by === 'id' ? inOrderOfIds(titles, places) : places
      if (query.order === 'desc') found.reverse()
      const page = found.slice(query.offset, query.offset + query.limit)
      const expected = page.map((at) => ({ id: ids[at] ?? 0, title: titleAt(titles, at) }))
      return { expected, total: found.length }
    },

    /** Whether these are the rows that were expected; otherwise the list is not used until it was read anew. */
    confirms(rows: readonly { ID: number; title?: string | null }[], expected: readonly Expected[]): boolean {
      const isSame = expected.every(
        ({ id, title }, i) => rows[i]?.ID === id && fold(rows[i]?.title ?? '') === title,
      )
      if (!isSame) asOf = never
      return isSame
    },
  }
}
