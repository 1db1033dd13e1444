// Ids and titles of all products in memory, in the order of their titles, and the search in them. Titles are folded: their case
// and accents do not count. A place is the index of a product in this order.
import { sql } from 'kysely'
import { turns } from '../core/turns.ts'
import type { Database } from '../db/connect.ts'
import { fold } from '../db/fold.ts'

/** Bound of the memory. */
const maxCharacters = 64 * 1024 * 1024
/** Titles that are read at once. */
const batch = 10_000
/** Places that are tested before other requests get a turn. */
const placesInTurn = 4096
/** Fewer places are sorted; for more it is quicker to walk all ids. */
const fewPlaces = 1000
/** Separates the titles in `text`, so that no search term matches across two titles. */
export const separator = '\u0001'

/** The titles of a shop, as `readTitles` reads them. */
export interface Titles {
  /** The largest id. */
  lastId: number
  /** Ids by place; `starts` and `isTemplate` are by place, too. */
  ids: number[]
  /** The places in `ids` of all products, in the order of their ids. */
  byId: Uint32Array
  /** All titles, folded. */
  text: string
  /** Where each title begins in `text`; the last number is where another one would begin. */
  starts: Uint32Array
  /** 1 for templates, 0 for other products. */
  isTemplate: Uint8Array
}

/** The number of products, and a text that differs after a change of an id, a title or a type: it contains sums, in which changes cancel out only by chance. One statement. */
export async function titlesState({ db, t, dialect }: Database) {
  const titleSum = sql`sum(${dialect.contentSignature('title')} * (ID % 1021 + 1))`
  const { rows } = await sql<Record<string, unknown>>`
    select count(*) as number, max(ID) as last, ${titleSum} as titles,
      sum(case when type = 'template' then ID else 0 end) as templates
    from ${sql.table(t.products)}`.execute(db)
  const row = rows[0] ?? {}
  return { signature: Object.values(row).join(), count: Number(row.number) }
}

/** Reads all titles; undefined if they would take too much memory. */
export async function readTitles({ db, t, dialect }: Database): Promise<Titles | undefined> {
  const turn = turns()
  const ordered = await db
    .selectFrom(t.products)
    .select('ID')
    .orderBy(dialect.alphabetical('title'))
    .orderBy('ID')
    .execute()
  const products = new Map<number, { title: string; isTemplate: number }>()
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom(t.products)
      .select(['ID', 'title', sql<number>`case when type = 'template' then 1 else 0 end`.as('is_template')])
      .where('ID', '>', last)
      .orderBy('ID')
      .limit(batch)
      .execute()
    for (const { ID, title, is_template } of rows) {
      products.set(ID, { title: fold(title ?? ''), isTemplate: Number(is_template) })
      await turn()
    }
    if (rows.length < batch) break
    last = rows.at(-1)?.ID ?? 0
  }
  const ids = ordered.map(({ ID }) => ID).filter((id) => products.has(id))
  const starts = new Uint32Array(ids.length + 1)
  const isTemplate = new Uint8Array(ids.length)
  const parts: string[] = []
  let end = 0
  for (const [i, id] of ids.entries()) {
    const { title = '', isTemplate: flag = 0 } = products.get(id) ?? {}
    parts.push(title)
    isTemplate[i] = flag
    end += title.length + separator.length
    starts[i + 1] = end
    await turn()
  }
  if (end > maxCharacters) return undefined
  const lastId = ids.reduce((last, id) => Math.max(last, id), 0)
  const byId = Uint32Array.from(ids.keys()).sort((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0))
  return { lastId, ids, byId, text: parts.join(separator), starts, isTemplate }
}

/** The places of the titles that contain the folded term and for which `isWanted` is true, in order. */
export async function matches(
  { ids, text, starts }: Titles,
  term: string,
  isWanted: (place: number) => boolean,
): Promise<number[]> {
  const turn = turns()
  const places: number[] = []
  if (term === '') {
    for (let place = 0; place < ids.length; place++) {
      if (isWanted(place)) places.push(place)
      if (place % placesInTurn === 0) await turn()
    }
    return places
  }
  let tested = 0
  for (let index = text.indexOf(term); index !== -1; ) {
    const place = placeAt(starts, index)
    if (isWanted(place)) places.push(place)
    index = text.indexOf(term, starts[place + 1])
    if (++tested % placesInTurn === 0) await turn()
  }
  return places
}

/** Returns the places in the order of the ids of their products. */
export function inOrderOfIds({ ids, byId }: Titles, places: readonly number[]): number[] {
  if (places.length < fewPlaces) return places.toSorted((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0))
  const isFound = new Uint8Array(ids.length)
  for (const place of places) isFound[place] = 1
  const ordered: number[] = []
  for (const place of byId) if (isFound[place] === 1) ordered.push(place)
  return ordered
}

/** The place of the title that contains the character at this index of the text; a binary search. */
function placeAt(starts: Uint32Array, index: number): number {
  let [low, high] = [0, starts.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= index) low = middle
    else high = middle
  }
  return low
}

/** The folded title at a place. */
export const titleAt = ({ text, starts }: Titles, place: number) =>
  text.slice(starts[place], (starts[place + 1] ?? 0) - separator.length)
