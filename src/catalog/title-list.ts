// The titles of the products of a large shop in memory, for some seconds: searches and lists by title would compare and sort all
// rows for each page. The list only selects ids: rows are read from the database, and a list that they contradict is not used.
import { withoutDeadline } from '../core/deadline.ts'
import type { Database } from '../db/connect.ts'
import { fold } from '../db/fold.ts'
import type { ProductQuery } from './product-statements.ts'
import { inOrderOfIds, matches, readTitles, separator, type Titles, titleAt, titlesState } from './titles.ts'

/** The highest id of a product up to which a shop is small: the database reads its lists fast enough. */
const smallShop = 20_000
/** The list is not read for more products, because it would take too much memory. */
const maxProducts = 1_000_000
/** Milliseconds for which the list is used after a check; changes by the CMS or another process are seen no later. */
const maxAge = 10_000
/** Milliseconds after a check until a use of the list starts the next check. */
const dueAge = 5000
/** Milliseconds between two reads of all titles. */
const betweenLoads = 15_000
/** Milliseconds until the next read after one that failed, or that found too many or too long titles. */
const afterFailure = 600_000
/** Milliseconds between two looks at the size of the shop. */
const betweenSizes = 60_000
const never = Number.NEGATIVE_INFINITY

/** Set by tests alone. */
export interface TitleSettings {
  /** The highest id of a product up to which a shop is small. Default 20,000. */
  smallShop?: number
}

/** A row that a page should have according to the list. */
export interface Expected {
  id: number
  /** Folded. */
  title: string
}

/** Times are those of `performance.now`. */
interface State {
  /** What was read last, with the signature of the table at that time. */
  list: { titles: Titles; signature: string } | undefined
  /** When a check last found the table with this signature; `never` if it has changed since. */
  validAt: number
  /** Counts the writes of this process: a check during which there was one proves nothing. */
  writes: number
  /** When a check was started last. */
  checkedAt: number
  /** When the titles may be read again. */
  nextLoad: number
}

/** The title list of one database, which each request for a page of products shares. */
export type TitleList = ReturnType<typeof titleList>

/** Holds no titles until the first list of a large shop. */
export function titleList(database: Database, settings: TitleSettings = {}) {
  const { db, t } = database
  const isLargeShop = shopSize(database, settings.smallShop ?? smallShop)
  const state: State = { list: undefined, validAt: never, writes: 0, checkedAt: never, nextLoad: never }
  /** The check that runs in the background. */
  let checking: Promise<void> | undefined

  /** Compares the list with the table, and reads it again if the table has changed. */
  async function check(): Promise<void> {
    const now = performance.now()
    const writesBefore = state.writes
    if (!state.list && now < state.nextLoad) return
    const { signature, count } = await titlesState(database)
    if (state.list?.signature !== signature) {
      if (now < state.nextLoad) return
      // Applies until the titles have been read: reading all of them in vain costs the database most.
      state.nextLoad = now + afterFailure
      state.list = undefined
      const titles = count > maxProducts ? undefined : await readTitles(database)
      if (!titles) return
      state.list = { titles, signature }
      state.nextLoad = now + betweenLoads
    }
    state.validAt = state.writes === writesBefore ? now : never
  }

  /** Starts a check unless one runs. @returns resolves when the check has ended, also if it failed */
  function refreshInBackground(): Promise<void> {
    state.checkedAt = performance.now()
    checking ??= withoutDeadline(check)
      // A later check tries again; until then the database finds the pages.
      .catch(() => {})
      .finally(() => {
        checking = undefined
      })
    return checking
  }

  /** The titles, if they may be used; undefined if the database has to find the page. */
  async function usableTitles(): Promise<Titles | undefined> {
    if (!(await isLargeShop())) return undefined
    const now = performance.now()
    if (now - state.validAt > dueAge && now - state.checkedAt > dueAge) void refreshInBackground()
    if (!state.list || now - state.validAt > maxAge) return undefined
    const { titles } = state.list
    const newerProduct = await db
      .selectFrom(t.products)
      .select('ID')
      .where('ID', '>', titles.lastId)
      .limit(1)
      .executeTakeFirst()
    if (!newerProduct) return titles
    state.validAt = never
    return undefined
  }

  return {
    refreshInBackground,

    /** Call it after a write of a product. */
    forget(): void {
      state.writes++
      state.validAt = never
    },

    /**
     * The ids and titles of a page, and the number of products on all pages.
     * @param readMembers reads a test for products of the category that the query names; not called without a category
     * @returns undefined if the database has to find the page
     */
    async find(query: ProductQuery, readMembers: () => Promise<(id: number) => boolean>) {
      if (query.include !== undefined || query.search?.includes(separator)) return undefined
      const titles = await usableTitles()
      if (!titles) return undefined
      const isMember = query.category_id === undefined ? () => true : await readMembers()
      return selectedPage(titles, query, isMember)
    },

    /** Whether these are the rows that were expected; otherwise the list is not used before the next check. */
    confirms(rows: readonly { ID: number; title?: string | null }[], expected: readonly Expected[]): boolean {
      const isSame = expected.every(
        ({ id, title }, i) => rows[i]?.ID === id && fold(rows[i]?.title ?? '') === title,
      )
      if (!isSame) state.validAt = never
      return isSame
    },
  }
}

/** Returns a function that resolves to whether the shop has an id above the threshold; it looks once a minute. */
function shopSize({ db, t, dialect }: Database, threshold: number): () => Promise<boolean> {
  let isLarge = false
  let readAt = never
  return async () => {
    // SQLite runs in this process, so a second copy of the titles in its memory saves nothing.
    if (dialect.name === 'sqlite') return false
    if (performance.now() - readAt < betweenSizes) return isLarge
    const row = await db
      .selectFrom(t.products)
      .select((eb) => eb.fn.max('ID').as('last'))
      .executeTakeFirst()
    isLarge = Number(row?.last ?? 0) > threshold
    readAt = performance.now()
    return isLarge
  }
}

/** The page of a query by the titles alone; `isMember` tests whether a product is in the requested category. */
async function selectedPage(titles: Titles, query: ProductQuery, isMember: (id: number) => boolean) {
  const { ids, isTemplate } = titles
  const templateFlag = query.type === undefined ? undefined : query.type === 'template' ? 1 : 0
  const isWanted = (place: number) =>
    (templateFlag === undefined || isTemplate[place] === templateFlag) && isMember(ids[place] ?? 0)
  const byTitle = await matches(titles, fold(query.search ?? ''), isWanted)
  const places = query.order_by === 'id' ? inOrderOfIds(titles, byTitle) : byTitle
  if (query.order === 'desc') places.reverse()
  const page = places.slice(query.offset, query.offset + query.limit)
  const expected = page.map((place): Expected => ({ id: ids[place] ?? 0, title: titleAt(titles, place) }))
  return { expected, total: places.length }
}
