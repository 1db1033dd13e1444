// The products of all categories: each list of ids as one text, since a row for each pair would take long here, and looking up
// each product would take the database long.
import { sql } from 'kysely'
import { turns } from '../core/turns.ts'
import type { Database } from '../db/connect.ts'

/** On MySQL, which truncates earlier than MariaDB; the others take it for a comment. */
const longLists = sql`/*+ set_var(group_concat_max_len = 67108864) */`

/** The ids of up to 2^16 products are read as one text: those whose ids differ in these lowest bits alone. */
const idBits = 16

/** A list of ids as the database returns it. */
interface IdList {
  /** The category whose members they are, or the number of the group of products. */
  owner: number
  sum: number
  ids: string | null
}

const idLists = {
  sum: (id: string) => sql<number>`sum(${sql.ref(id)})`.as('sum'),
  list: (id: string) => sql<string | null>`group_concat(${sql.ref(id)})`.as('ids'),
}

/** The ids of a category's products, a row each. */
const readMembers =
  ({ db, t }: Pick<Database, 'db' | 't'>) =>
  async (category: number) => {
    const rows = await db
      .selectFrom(t.category_products)
      .select('product_id as id')
      .where('category_id', '=', category)
      .execute()
    return rows.map(({ id }) => id)
  }

/** Reads the members of a category into a function that tests whether a product id is among them. */
export function categoryMembers({ db, t }: Pick<Database, 'db' | 't'>) {
  const membersOf = readMembers({ db, t })
  return async (category: number): Promise<(id: number) => boolean> => {
    const row = await db
      .selectFrom(t.category_products)
      .modifyFront(longLists)
      .select([idLists.sum('product_id'), idLists.list('product_id')])
      .where('category_id', '=', category)
      .executeTakeFirst()
    const ids = await idsIn({ owner: category, sum: row?.sum ?? 0, ids: row?.ids ?? null }, membersOf)
    return membership([ids])
  }
}

export function categoryProducts({ db, t }: Pick<Database, 'db' | 't'>) {
  const { sum, list } = idLists
  const groupNumber = sql<number>`ID >> ${sql.lit(idBits)}`

  const memberLists = () =>
    db
      .selectFrom(t.category_products)
      .modifyFront(longLists)
      .select(['category_id as owner', sum('product_id'), list('product_id')])
      .groupBy('category_id')
      .execute()
  const membersOf = readMembers({ db, t })

  const idGroups = () =>
    db
      .selectFrom(t.products)
      .modifyFront(longLists)
      .select([groupNumber.as('owner'), sum('ID'), list('ID')])
      .groupBy(groupNumber)
      .execute()
  /** The ids of a group of products, a row each. */
  const idsOfGroup = async (group: number) => {
    const first = group * 2 ** idBits
    const rows = await db
      .selectFrom(t.products)
      .select('ID as id')
      .where('ID', '>=', first)
      .where('ID', '<', first + 2 ** idBits)
      .execute()
    return rows.map(({ id }) => id)
  }

  /** Ids of the existing products in each category, ascending. */
  return async (): Promise<Map<number, number[]>> => {
    const turn = turns()
    const [existing, assigned] = await Promise.all([idGroups(), memberLists()])
    const all: number[][] = []
    for (const row of existing) {
      all.push(await idsIn(row, idsOfGroup))
      await turn()
    }
    const exists = membership(all)
    const found = new Map<number, number[]>()
    for (const row of assigned) {
      const ids = await idsIn(row, membersOf)
      // A table without a unique key may contain a pair twice.
      found.set(
        row.owner,
        ascending(ids).filter((id, i, all) => id !== all[i - 1] && exists(id)),
      )
      await turn()
    }
    return found
  }
}

/** The ids of a list; it is read again as rows if the server has truncated it, which makes their sum smaller. */
async function idsIn({ owner, sum, ids }: IdList, read: (owner: number) => Promise<number[]>) {
  const numbers = parsedIds(ids ?? '')
  let found = 0
  for (const id of numbers) found += id
  return found === Number(sum) ? numbers : read(Number(owner))
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

/** Whether an id is in one of the lists: by a byte for each id up to the largest, which is much faster than a set. */
function membership(lists: readonly number[][]): (id: number) => boolean {
  const last = lists.reduce(
    (last, ids) =>
      Math.max(
        last,
        ids.reduce((a, b) => Math.max(a, b), 0),
      ),
    0,
  )
  if (last >= maxDense) {
    const set = new Set(lists.flat())
    return (id) => set.has(id)
  }
  const flags = new Uint8Array(last + 1)
  for (const ids of lists) for (const id of ids) flags[id] = 1
  return (id) => flags[id] === 1
}

/** Above this id a set is used, because the bytes would take too much memory. */
const maxDense = 2 ** 24

/** Sorts the ids, unless they are sorted already, as they mostly are. */
function ascending(ids: number[]): number[] {
  for (let i = 1; i < ids.length; i++)
    if (Number(ids[i]) < Number(ids[i - 1])) return ids.sort((a, b) => a - b)
  return ids
}
