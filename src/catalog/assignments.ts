// Which products are in which categories: the relation table as a set, from either side.
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { unknownReferences } from '../core/errors.ts'
import type { Database } from '../db/connect.ts'
import { prepared } from '../db/prepared.ts'
import type { Tables } from '../db/tables.ts'

/** Ids per statement: engines limit its parameters. */
const chunkSize = 1000

/** Reads and replaces the assignments of one database. */
export function assignments(database: Pick<Database, 'db' | 't' | 'maxConcat'>) {
  const { db, t, maxConcat = Number.POSITIVE_INFINITY } = database
  /** Returns the ids that have no row in the table. */
  async function missing(
    trx: Kysely<Tables>,
    table: 'products' | 'categories',
    ids: number[],
  ): Promise<number[]> {
    const existing = new Set<number>()
    for (const chunk of chunks(ids)) {
      const rows = await trx.selectFrom(t[table]).select('ID').where('ID', 'in', chunk).execute()
      for (const row of rows) existing.add(row.ID)
    }
    return ids.filter((id) => !existing.has(id))
  }

  const categoryRows = prepared((...productIds: number[]) =>
    db
      .selectFrom(`${t.category_products} as r`)
      // The left join fixes the order: in the other one the engine would scan every category.
      .leftJoin(`${t.categories} as c`, 'c.ID', 'r.category_id')
      .select(['r.product_id as owner', 'c.ID as member'])
      .where('r.product_id', 'in', productIds),
  )

  return {
    /**
     * SQL of a column with the category ids of a product, separated by commas; `readColumn` reads it.
     * @param productId the column with the id of the product, such as `p.ID`
     */
    categoriesColumn(productId: string): RawBuilder<string | null> {
      // The left join fixes the order, as above; GROUP_CONCAT skips its nulls.
      return sql<
        string | null
      >`(select group_concat(${sql.ref('c.ID')}) from ${sql.table(t.category_products)} as ${sql.id('r')}
        left join ${sql.table(t.categories)} as ${sql.id('c')} on ${sql.ref('c.ID')} = ${sql.ref('r.category_id')}
        where ${sql.ref('r.product_id')} = ${sql.ref(productId)})`
    },

    /**
     * Ids of the existing categories by product id, ascending, from rows with the column of `categoriesColumn`. Texts that the
     * engine truncated are read again, as rows.
     */
    async readColumn(
      rows: readonly { ID: number; categories?: string | null }[],
    ): Promise<Map<number, number[]>> {
      const isTruncated = (row: (typeof rows)[number]) => (row.categories?.length ?? 0) >= maxConcat
      const truncated = rows.filter(isTruncated).map((row) => row.ID)
      const reread = truncated.length > 0 ? grouped(await categoryRows(db, ...truncated)) : undefined
      return new Map(rows.map((row) => [row.ID, reread?.get(row.ID) ?? idsIn(row.categories)]))
    },

    /** Ids of the existing categories by product id, ascending; one query. */
    async categoriesOf(productIds: readonly number[], executor = db): Promise<Map<number, number[]>> {
      if (productIds.length === 0) return new Map()
      const rows = await categoryRows(executor, ...productIds)
      return grouped(rows)
    },

    /** Ids of the existing products by category id, ascending; one query. */
    async productsOf(categoryIds: readonly number[], executor = db): Promise<Map<number, number[]>> {
      const rows = await executor
        .selectFrom(`${t.category_products} as r`)
        .innerJoin(`${t.products} as p`, 'p.ID', 'r.product_id')
        .select(['r.category_id as owner', 'r.product_id as member'])
        .distinct()
        .where('r.category_id', 'in', categoryIds)
        .execute()
      return grouped(rows)
    },

    /** Replaces the categories of a product. Call it under the catalog guard. */
    setCategories: (trx: Kysely<Tables>, productId: number, categoryIds: readonly number[]) =>
      replace(trx, 'product_id', productId, categoryIds),

    /** Replaces the products of a category. Call it under the catalog guard. */
    setProducts: (trx: Kysely<Tables>, categoryId: number, productIds: readonly number[]) =>
      replace(trx, 'category_id', categoryId, productIds),
  }

  /**
   * Replaces the assignments of the product or category whose id is in `column`.
   * @throws SvcError 400 naming the related ids that do not exist, before anything is written
   */
  async function replace(
    trx: Kysely<Tables>,
    column: keyof Tables['category_products'],
    id: number,
    relatedIds: readonly number[],
  ): Promise<void> {
    const relatedTable = column === 'product_id' ? 'categories' : 'products'
    const ids = [...new Set(relatedIds)]
    const absent = await missing(trx, relatedTable, ids)
    if (absent.length > 0) throw unknownReferences(relatedTable, relatedTable, absent)
    await trx.deleteFrom(t.category_products).where(column, '=', id).execute()
    const rows = ids.map((relatedId) =>
      column === 'product_id'
        ? { category_id: relatedId, product_id: id }
        : { category_id: id, product_id: relatedId },
    )
    for (const chunk of chunks(rows)) await trx.insertInto(t.category_products).values(chunk).execute()
  }
}

function chunks<T>(items: T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / chunkSize) }, (_, i) =>
    items.slice(i * chunkSize, (i + 1) * chunkSize),
  )
}

/** The ids in a text of GROUP_CONCAT, ascending. */
function idsIn(list: string | null | undefined): number[] {
  if (!list) return []
  return ascending(new Set(list.split(',').map(Number)))
}

const ascending = (ids: Set<number>) => [...ids].sort((a, b) => a - b)

/**
 * The members by owner, ascending. A table without a unique key may contain a pair twice; a member is null if its row no
 * longer exists.
 */
function grouped(rows: { owner: number; member: number | null }[]): Map<number, number[]> {
  const groups = new Map<number, Set<number>>()
  for (const { owner, member } of rows) {
    if (member === null) continue
    const members = groups.get(owner)
    if (members) members.add(member)
    else groups.set(owner, new Set([member]))
  }
  return new Map([...groups].map(([owner, members]) => [owner, ascending(members)]))
}
