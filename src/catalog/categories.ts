// Product categories: rows of `svc_categories`, whose titles are unique, whatever their case.
import type { Kysely } from 'kysely'
import { SvcError } from '../core/errors.ts'
import { type Check, type Found, readBack, type Write } from '../core/resource.ts'
import type { Database } from '../db/connect.ts'
import { fold } from '../db/fold.ts'
import { guardOf } from '../db/guard.ts'
import { insertedId, resourceWrites, thenForget } from '../db/repository.ts'
import { stateTag } from '../db/state-tag.ts'
import type { Tables } from '../db/tables.ts'
import type { Totals } from '../db/totals.ts'
import { assignments } from './assignments.ts'
import { categoryProducts } from './category-products.ts'

interface Category {
  id: number
  title: string
  /** Ids of the assigned products, ascending. */
  products?: number[]
}

/** Reads and writes the categories of one database; `totals` are the cached lengths of product lists. */
export function categoriesRepository(database: Database, totals: Totals) {
  const { db, t, encoder } = database
  const relation = assignments(database)
  const allProducts = categoryProducts(database)

  async function find(id: number, executor = db): Promise<Found<Category> | undefined> {
    const row = await executor
      .selectFrom(t.categories)
      .select('title')
      .where('ID', '=', id)
      .executeTakeFirst()
    if (!row) return undefined
    const products = (await relation.productsOf([id], executor)).get(id) ?? []
    return {
      resource: { id, title: row.title ?? '', products },
      state: stateTag(id, row.title, products.join()),
      unreadable: [],
    }
  }

  /** @throws SvcError 409 when a category other than `id` has this title. Call it under the catalog guard. */
  async function assertTitleIsFree(trx: Kysely<Tables>, title: string, id?: number): Promise<void> {
    const rows = await trx.selectFrom(t.categories).select(['ID', 'title']).execute()
    const folded = fold(title)
    const other = rows.find((row) => row.ID !== id && fold((row.title ?? '').trim()) === folded)
    if (!other) return
    throw new SvcError('svc_category_title_taken', {
      message: `The category ${other.ID} already has the title "${other.title}".`,
      data: { id: other.ID },
    })
  }

  const lockTable = guardOf(database, 'catalog')
  const { write, created, updated, remove } = resourceWrites({
    resource: 'category',
    find,
    // A change of assignments changes the totals of the product lists by category.
    transaction: thenForget(database.transaction, totals),
    lockTable,
  })

  return {
    find: (id: number) => find(id),

    /** All categories, or those that `include` names, ordered by title; `products` is empty unless requested. */
    async list(
      include: number[] | undefined,
      { withProducts }: { withProducts: boolean },
    ): Promise<Category[]> {
      const [rows, products] = await Promise.all([
        db
          .selectFrom(t.categories)
          .select(['ID', 'title'])
          .$if(include !== undefined, (query) => query.where('ID', 'in', include ?? []))
          .execute(),
        withProducts ? (include ? relation.productsOf(include) : allProducts()) : undefined,
      ])
      return rows
        .map((row) => ({ id: row.ID, title: row.title ?? '', products: products?.get(row.ID) ?? [] }))
        .map((category) => ({ category, key: fold(category.title) }))
        .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.category.id - b.category.id))
        .map(({ category }) => category)
    },

    /** Creates an empty category. @throws SvcError 409 when the title is taken */
    create(title: string, options = readBack) {
      return write(async (trx) => {
        await lockTable(trx)
        await assertTitleIsFree(trx, title.trim())
        const row = encoder.row('categories', { title: title.trim(), user_id: 0 })
        return created(trx, await insertedId(trx.insertInto(t.categories).values(row)), options)
      })
    },

    /**
     * Changes the title, and replaces the products; undefined when there is no such category.
     * @throws SvcError 409 when the title is taken, 400 for unknown products; whatever `decide` throws
     */
    update(id: number, change: Write<Partial<Omit<Category, 'id'>>>) {
      return write(async (trx) => {
        await lockTable(trx)
        const category = await find(id, trx)
        if (!category) return undefined
        const { title, products } = await change.decide(category)
        const { resource } = category
        // A title that another writer stored with surrounding whitespace may be sent back as it was read.
        if (title !== undefined && title !== resource.title) {
          // Another writer may have stored the same title twice: a change of its case or whitespace is allowed.
          const isSameTitle = fold(title.trim()) === fold(resource.title.trim())
          if (!isSameTitle) await assertTitleIsFree(trx, title.trim(), id)
          const set = encoder.row('categories', { title: title.trim() })
          await trx.updateTable(t.categories).set(set).where('ID', '=', id).execute()
        }
        if (products !== undefined) await relation.setProducts(trx, id, products)
        return updated(trx, category, change)
      })
    },

    /** Removes all products from the category; undefined when there is no such category. */
    clear(id: number, options = readBack) {
      return write(async (trx) => {
        await lockTable(trx)
        const category = await find(id, trx)
        if (!category) return undefined
        await trx.deleteFrom(t.category_products).where('category_id', '=', id).execute()
        return updated(trx, category, options)
      })
    },

    /** Deletes the category and its assignments, never a product. */
    remove(id: number, check?: Check) {
      return remove(id, check, async (trx) => {
        await trx.deleteFrom(t.category_products).where('category_id', '=', id).execute()
        await trx.deleteFrom(t.categories).where('ID', '=', id).execute()
      })
    },
  }
}
