// Which product is in which category: the relation table, as a set from either side.
import type { Kysely } from 'kysely'
import type { Database } from '../db/connect.ts'
import { prepared } from '../db/prepared.ts'
import type { Tables } from '../db/tables.ts'
import { unknownReferences } from '../errors.ts'

/** Ids per statement: engines limit the parameters of one. */
const chunkSize = 1000

export function assignments({ db, t }: Pick<Database, 'db' | 't'>) {
  /** Those of `ids` that have no row, in chunks. */
  async function unknown(
    trx: Kysely<Tables>,
    table: 'products' | 'categories',
    ids: number[],
  ): Promise<number[]> {
    const known = new Set<number>()
    for (const chunk of chunks(ids)) {
      const rows = await trx.selectFrom(t[table]).select('ID').where('ID', 'in', chunk).execute()
      for (const row of rows) known.add(row.ID)
    }
    return ids.filter((id) => !known.has(id))
  }

  const categoriesOf = prepared((...productIds: number[]) =>
    db
      .selectFrom(`${t.category_products} as r`)
      // A join in this order alone: the other way round each category would be looked through.
      .leftJoin(`${t.categories} as c`, 'c.ID', 'r.category_id')
      .select(['r.product_id as owner', 'c.ID as member'])
      .where('r.product_id', 'in', productIds),
  )

  return {
    /** Ids of the existing categories of each of these products, ascending; one query. */
    async categoriesOf(productIds: readonly number[], executor = db): Promise<Map<number, number[]>> {
      if (productIds.length === 0) return new Map()
      const rows = await categoriesOf(executor, ...productIds)
      return grouped(rows)
    },

    /** Ids of the existing products in each of these categories (in all of them when absent), ascending; one query. */
    async productsOf(
      categoryIds: readonly number[] | undefined,
      executor = db,
    ): Promise<Map<number, number[]>> {
      const rows = await executor
        .selectFrom(`${t.category_products} as r`)
        .innerJoin(`${t.products} as p`, 'p.ID', 'r.product_id')
        .select(['r.category_id as owner', 'r.product_id as member'])
        .distinct()
        .$if(categoryIds !== undefined, (query) => query.where('r.category_id', 'in', categoryIds ?? []))
        .execute()
      return grouped(rows)
    },

    /**
     * Makes the assignment exactly this set. To be called under the catalog guard.
     * @throws SvcError 400 naming the ids that do not exist; nothing is written then
     */
    async setCategories(
      trx: Kysely<Tables>,
      productId: number,
      categoryIds: readonly number[],
    ): Promise<void> {
      const selection = [...new Set(categoryIds)]
      const absent = await unknown(trx, 'categories', selection)
      if (absent.length > 0) throw unknownReferences('categories', 'categories', absent)
      await trx.deleteFrom(t.category_products).where('product_id', '=', productId).execute()
      await insert(
        trx,
        selection.map((category_id) => ({ category_id, product_id: productId })),
      )
    },

    /** The same from the category's side. */
    async setProducts(trx: Kysely<Tables>, categoryId: number, productIds: readonly number[]): Promise<void> {
      const selection = [...new Set(productIds)]
      const absent = await unknown(trx, 'products', selection)
      if (absent.length > 0) throw unknownReferences('products', 'products', absent)
      await trx.deleteFrom(t.category_products).where('category_id', '=', categoryId).execute()
      await insert(
        trx,
        selection.map((product_id) => ({ category_id: categoryId, product_id })),
      )
    },
  }

  async function insert(trx: Kysely<Tables>, rows: Tables['category_products'][]): Promise<void> {
    for (const chunk of chunks(rows)) await trx.insertInto(t.category_products).values(chunk).execute()
  }
}

function chunks<T>(items: T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / chunkSize) }, (_, i) =>
    items.slice(i * chunkSize, (i + 1) * chunkSize),
  )
}

/** A table without a unique key may hold a pair twice; a null is a row that is no more. */
function grouped(rows: { owner: number; member: number | null }[]): Map<number, number[]> {
  const groups = new Map<number, Set<number>>()
  for (const { owner, member } of rows) {
    if (member === null) continue
    const members = groups.get(owner)
    if (members) members.add(member)
    else groups.set(owner, new Set([member]))
  }
  return new Map([...groups].map(([owner, members]) => [owner, [...members].sort((a, b) => a - b)]))
}
