// The titles of the products of a large shop in memory, for some seconds: searches and lists by title would compare and sort all
// rows for each page. The list only selects: rows are read from the database, and a list that they contradict is not used.
import { sql } from 'kysely'
import { outsideRequest } from '../core/deadline.ts'
import { turns } from '../core/turns.ts'
import type { Database } from '../db/connect.ts'
import { fold } from '../db/fold.ts'
import type { ProductQuery } from './product-statements.ts'

/** The highest id of a product up to which lists read the table, without this list. */
const smallShop = 20_000
/** Bounds of the memory. */
const maxProducts = 1_000_000
const maxCharacters = 64 * 1024 * 1024
/** Milliseconds. Only a title that the CMS changes can be seen late, by `maxAge`. From `dueAge` on the list is checked, if it is used. */
const maxAge = 10_000
const dueAge = 5000
const betweenLoads = 15_000
const betweenSizes = 60_000
/** Titles that are read at once. */
const batch = 10_000
/** Between the titles. */
const separator = '\u0001'

interface Titles {
  /** When the table was in this state. */
  asOf: number
  signature: string
  lastId: number
  /** In the order of titles, as all below. */
  ids: number[]
  /** All titles, folded. */
  text: string
  /** Where each title begins, and the end of the text. */
  starts: Uint32Array
  isTemplate: Uint8Array
}

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
  let titles: Titles | undefined
  /** Counts writes, because a state that was read before one is out of date. */
  let writes = 0
  let isLarge = false
  let sizedAt = Number.NEGATIVE_INFINITY
  let checkedAt = Number.NEGATIVE_INFINITY
  let loadedAt = Number.NEGATIVE_INFINITY

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

  /** Another text after each change of an id, a title or a type. */
  async function stateOf(): Promise<{ signature: string; count: number }> {
    const titleSum = sql`sum(${dialect.contentSignature('title')} * (ID % 1021 + 1))`
    const { rows } = await sql<Record<string, unknown>>`
      select count(*) as number, max(ID) as last, ${titleSum} as titles,
        sum(case when type = 'template' then ID else 0 end) as templates
      from ${sql.table(t.products)}`.execute(db)
    const row = rows[0] ?? {}
    return { signature: Object.values(row).join(), count: Number(row.number) }
  }

  async function load(asOf: number, signature: string): Promise<Titles | undefined> {
    const turn = turns()
    const ordered = await db
      .selectFrom(t.products)
      .select('ID')
      .orderBy(dialect.alphabetical('title'))
      .orderBy('ID')
      .execute()
    const found = new Map<number, { title: string; isTemplate: number }>()
    for (let last = 0; ; ) {
      const rows = await db
        .selectFrom(t.products)
        .select(['ID', 'title', sql<number>`case when type = 'template' then 1 else 0 end`.as('is_template')])
        .where('ID', '>', last)
        .orderBy('ID')
        .limit(batch)
        .execute()
      for (const { ID, title, is_template } of rows) {
        found.set(ID, { title: fold(title ?? ''), isTemplate: Number(is_template) })
        await turn()
      }
      if (rows.length < batch) break
      last = rows.at(-1)?.ID ?? 0
    }
    const ids = ordered.map(({ ID }) => ID).filter((id) => found.has(id))
    const starts = new Uint32Array(ids.length + 1)
    const isTemplate = new Uint8Array(ids.length)
    const parts: string[] = []
    let end = 0
    for (const [i, id] of ids.entries()) {
      const { title = '', isTemplate: flag = 0 } = found.get(id) ?? {}
      parts.push(title)
      isTemplate[i] = flag
      end += title.length + separator.length
      starts[i + 1] = end
      await turn()
    }
    if (end > maxCharacters) return undefined
    const lastId = ids.reduce((last, id) => Math.max(last, id), 0)
    return { asOf, signature, lastId, ids, text: parts.join(separator), starts, isTemplate }
  }

  async function refresh(): Promise<void> {
    const [asOf, before] = [performance.now(), writes]
    const { signature, count } = await stateOf()
    if (count > maxProducts) return
    if (titles?.signature === signature) titles = { ...titles, asOf }
    else if (performance.now() - loadedAt < betweenLoads) return
    else {
      loadedAt = performance.now()
      titles = await load(asOf, signature)
    }
    if (writes !== before) expire()
  }

  function expire(): void {
    if (titles) titles = { ...titles, asOf: Number.NEGATIVE_INFINITY }
  }

  /** @returns when the list is checked, or anew */
  function refreshInBackground(): Promise<void> {
    checkedAt = performance.now()
    // What fails is done by a later one; until then lists read the table.
    return outsideRequest(refresh).catch(() => {})
  }

  async function recent(): Promise<Titles | undefined> {
    if (!(await hasMany())) return undefined
    const now = performance.now()
    const age = titles ? now - titles.asOf : Number.POSITIVE_INFINITY
    if (age > dueAge && now - checkedAt > dueAge) void refreshInBackground()
    if (!titles || age > maxAge) return undefined
    const known = titles
    const newer = await db
      .selectFrom(t.products)
      .select('ID')
      .where('ID', '>', known.lastId)
      .limit(1)
      .executeTakeFirst()
    if (!newer) return known
    expire()
    return undefined
  }

  return {
    refreshInBackground,

    /** Call it after a write of a product. */
    forget(): void {
      writes++
      expire()
    },

    /**
     * The products of a page, and the number of all that match.
     * @param members says which products are in the category, if the query names one
     * @returns undefined where the table has to be read
     */
    async find(query: ProductQuery, members: () => Promise<(id: number) => boolean>) {
      if (query.include !== undefined || query.search?.includes(separator)) return undefined
      const known = await recent()
      if (!known) return undefined
      const { ids, isTemplate } = known
      const isMember = query.category_id === undefined ? () => true : await members()
      const type = query.type === undefined ? undefined : query.type === 'template' ? 1 : 0
      const isWanted = (place: number) =>
        (type === undefined || isTemplate[place] === type) && isMember(ids[place] ?? 0)
      const found = matches(known, fold(query.search ?? ''), isWanted)
      if (query.order_by === 'id') found.sort((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0))
      if (query.order === 'desc') found.reverse()
      const page = found.slice(query.offset, query.offset + query.limit)
      const expected = page.map((at) => ({ id: ids[at] ?? 0, title: titleAt(known, at) }))
      return { expected, total: found.length }
    },

    /** Whether these are the rows that were expected; otherwise the list is not used until it was read anew. */
    confirms(rows: readonly { ID: number; title?: string | null }[], expected: readonly Expected[]): boolean {
      const isSame = expected.every(
        ({ id, title }, i) => rows[i]?.ID === id && fold(rows[i]?.title ?? '') === title,
      )
      if (!isSame) expire()
      return isSame
    },
  }
}

/** The places of the titles that contain the term and are wanted. */
function matches(
  { ids, text, starts }: Titles,
  term: string,
  isWanted: (place: number) => boolean,
): number[] {
  const found: number[] = []
  if (term === '') {
    for (let place = 0; place < ids.length; place++) if (isWanted(place)) found.push(place)
    return found
  }
  for (let at = text.indexOf(term); at !== -1; ) {
    const place = placeAt(starts, at)
    if (isWanted(place)) found.push(place)
    at = text.indexOf(term, starts[place + 1])
  }
  return found
}

/** Which title contains this character. */
function placeAt(starts: Uint32Array, at: number): number {
  let [low, high] = [0, starts.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle
  }
  return low
}

const titleAt = ({ text, starts }: Titles, at: number) =>
  text.slice(starts[at], (starts[at + 1] ?? 0) - separator.length)
