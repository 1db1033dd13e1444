// Which products are in each category, for shops with many: the database returns each list of ids as one text, because a row
// for each pair would take Node.js too long. Ids of deleted products are removed here, because a join would take the database
// too long: the ids of all products are read as texts, too, one for each range of 2^16 ids.
import { sql } from 'kysely'
import { turns } from '../core/turns.ts'
import type { Database } from '../db/connect.ts'

type Connected = Pick<Database, 'db' | 't'>

/** A hint that only MySQL obeys, which truncates GROUP_CONCAT earlier than MariaDB; other engines see a comment. */
const longLists = sql`/*+ set_var(group_concat_max_len = 67108864) */`

/** The products whose ids differ only in this many lowest bits form a range, whose ids are read as one text. */
const rangeBits = 16

/** A list of ids as the database returns it, with the sum that shows whether the text was truncated. */
interface IdList {
  /** The id of the category, or the number of the range, that the list belongs to. */
  owner: number
  sum: number
  ids: string | null
}

const sumOf = (id: string) => sql<number>`sum(${sql.ref(id)})`.as('sum')
const textOf = (id: string) => sql<string | null>`group_concat(${sql.ref(id)})`.as('ids')

/**
 * Returns a function that reads a category and resolves to a test whether a product id is assigned to it. The test is true for ids of
 * deleted products, too, if their assignments remain.
 */
export function categoryMembers({ db, t }: Connected) {
  return async (category: number): Promise<(id: number) => boolean> => {
    const row = await db
      .selectFrom(t.category_products)
      .modifyFront(longLists)
      .select([sumOf('product_id'), textOf('product_id')])
      .where('category_id', '=', category)
      .executeTakeFirst()
    const list = { owner: category, sum: row?.sum ?? 0, ids: row?.ids ?? null }
    return membership([idsIn(list) ?? (await assignedIds({ db, t }, category))])
  }
}

/** Returns a function that reads the ids of the existing products by category id, ascending. */
export function categoryProducts({ db, t }: Connected) {
  const rangeNumber = sql<number>`ID >> ${sql.lit(rangeBits)}`

  const assignedLists = () =>
    db
      .selectFrom(t.category_products)
      .modifyFront(longLists)
      .select(['category_id as owner', sumOf('product_id'), textOf('product_id')])
      .groupBy('category_id')
      .execute()

  const rangeLists = () =>
    db
      .selectFrom(t.products)
      .modifyFront(longLists)
      .select([rangeNumber.as('owner'), sumOf('ID'), textOf('ID')])
      .groupBy(rangeNumber)
      .execute()

  return async (): Promise<Map<number, number[]>> => {
    const turn = turns()
    const [ranges, assigned] = await Promise.all([rangeLists(), assignedLists()])
    const existingIds: number[][] = []
    for (const range of ranges) {
      existingIds.push(idsIn(range) ?? (await idsOfRange({ db, t }, Number(range.owner))))
      await turn()
    }
    const exists = membership(existingIds)
    const products = new Map<number, number[]>()
    for (const list of assigned) {
      const ids = idsIn(list) ?? (await assignedIds({ db, t }, Number(list.owner)))
      // A table without a unique key may contain a pair twice.
      const existing = ascending(ids).filter((id, i, sorted) => id !== sorted[i - 1] && exists(id))
      products.set(list.owner, existing)
      await turn()
    }
    return products
  }
}

/** The ids of a category's products, a row each. */
async function assignedIds({ db, t }: Connected, category: number): Promise<number[]> {
  const rows = await db
    .selectFrom(t.category_products)
    .select('product_id as id')
    .where('category_id', '=', category)
    .execute()
  return rows.map(({ id }) => id)
}

/** The ids of a range of products, a row each. */
async function idsOfRange({ db, t }: Connected, range: number): Promise<number[]> {
  const first = range * 2 ** rangeBits
  const rows = await db
    .selectFrom(t.products)
    .select('ID as id')
    .where('ID', '>=', first)
    .where('ID', '<', first + 2 ** rangeBits)
    .execute()
  return rows.map(({ id }) => id)
}

/** The ids of a list; undefined if the server truncated its text, which makes their sum smaller: then read them as rows. */
function idsIn({ sum, ids }: IdList): number[] | undefined {
  const numbers = parsedIds(ids ?? '')
  let parsedSum = 0
  for (const id of numbers) parsedSum += id
  return parsedSum === Number(sum) ? numbers : undefined
}

/** The numbers between commas; five times as fast as split and Number. */
function parsedIds(list: string): number[] {
  if (list === '') return []
  const ids: number[] = []
  let id = 0
  for (let i = 0; i < list.length; i++) {
    const code = list.charCodeAt(i)
    if (code === comma) {
      ids.push(id)
      id = 0
    } else id = 10 * id + code - zero
  }
  ids.push(id)
  return ids
}

const comma = 44
const zero = 48

/** Returns a test whether an id is in one of the lists: a byte for each id up to the largest is much faster than a set. */
function membership(lists: readonly number[][]): (id: number) => boolean {
  let largest = 0
  for (const ids of lists) for (const id of ids) largest = Math.max(largest, id)
  if (largest >= maxDense) {
    const set = new Set(lists.flat())
    return (id) => set.has(id)
  }
  const flags = new Uint8Array(largest + 1)
  for (const ids of lists) for (const id of ids) flags[id] = 1
  return (id) => flags[id] === 1
}

/** Above this id a set is used, because the bytes would take too much memory. */
const maxDense = 2 ** 24

/** Returns the ids sorted; most lists are sorted already, which is tested first. */
function ascending(ids: number[]): number[] {
  for (let i = 1; i < ids.length; i++)
    if (Number(ids[i]) < Number(ids[i - 1])) return ids.sort((a, b) => a - b)
  return ids
}
