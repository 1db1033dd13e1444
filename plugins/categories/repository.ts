// Product categories: rows of `svc_categories`, whose titles are unique whatever their case.
import type { Kysely } from 'kysely'
import type { Database } from '../../src/db/connect.ts'
import { fold } from '../../src/db/fold.ts'
import { guard } from '../../src/db/guard.ts'
import { stateTag } from '../../src/db/state-tag.ts'
import type { Tables } from '../../src/db/tables.ts'
import { type Committed, isThere } from '../../src/db/transaction.ts'
import { SvcError } from '../../src/errors.ts'
import { readBack, type Unread } from '../../src/read-back.ts'
import { assignments } from '../../src/repositories/assignments.ts'
import type { Totals } from '../../src/repositories/totals.ts'
import type { CategoryPatch } from './schema.ts'

export interface Category {
  id: number
  title: string
  products: number[]
}

export interface FoundCategory {
  resource: Category
  state: string
  unreadable: never[]
}

type Check = (current: { resource: object; state: string }) => void | Promise<void>

export function categoriesRepository(database: Database, totals: Totals) {
  const { db, t, columns, transaction } = database
  const relation = assignments(database)

  async function find(id: number, executor = db): Promise<FoundCategory | undefined> {
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

  /** @throws SvcError 409 when another category than `id` has this title. To be called under the catalog guard. */
  async function assertFree(trx: Kysely<Tables>, title: string, id?: number): Promise<void> {
    const rows = await trx.selectFrom(t.categories).select(['ID', 'title']).execute()
    const selection = fold(title)
    const other = rows.find((row) => row.ID !== id && fold((row.title ?? '').trim()) === selection)
    if (!other) return
    throw new SvcError('svc_category_title_taken', {
      message: `The category ${other.ID} already has the title "${other.title}".`,
      data: { id: other.ID },
    })
  }

  /** A transaction under the catalog guard; what lists count by category is counted anew after it. */
  async function guarded<T>(work: (trx: Kysely<Tables>) => Promise<T>, committed: Committed<T>): Promise<T> {
    const result = await transaction(async (trx) => {
      await guard(database, trx, 'catalog')
      return work(trx)
    }, committed)
    totals.forget()
    return result
  }

  /** Runs a write and answers with the category that it names. */
  function write(
    work: (trx: Kysely<Tables>) => Promise<number | undefined>,
  ): Promise<FoundCategory | Unread | undefined> {
    return guarded(async (trx) => {
      const id = await work(trx)
      return id === undefined ? undefined : readBack(id, () => find(id, trx))
    }, isThere(find))
  }

  const stored = (title: string) => columns.text('categories', 'title', 'title', title.trim())

  return {
    find: (id: number) => find(id),

    /** All categories by title, with their products where wanted. */
    async list({
      include,
      withProducts,
    }: {
      include?: number[] | undefined
      withProducts: boolean
    }): Promise<Category[]> {
      const [rows, products] = await Promise.all([
        db
          .selectFrom(t.categories)
          .select(['ID', 'title'])
          .$if(include !== undefined, (query) => query.where('ID', 'in', include ?? []))
          .execute(),
        withProducts ? relation.productsOf(include) : undefined,
      ])
      return rows
        .map((row) => ({ id: row.ID, title: row.title ?? '', products: products?.get(row.ID) ?? [] }))
        .map((category) => ({ category, key: fold(category.title) }))
        .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.category.id - b.category.id))
        .map(({ category }) => category)
    },

    /** @throws SvcError 409 when the title is taken */
    create(title: string) {
      return write(async (trx) => {
        await assertFree(trx, title.trim())
        const { insertId } = await trx
          .insertInto(t.categories)
          .values({ title: stored(title), user_id: 0 })
          .executeTakeFirstOrThrow()
        return Number(insertId)
      })
    },

    /** @throws SvcError 409 when the title is taken, 400 for unknown products; what `check` throws */
    update(id: number, { title, products }: CategoryPatch, check?: Check) {
      return write(async (trx) => {
        const current = await find(id, trx)
        if (!current) return undefined
        await check?.(current)
        // A title that others stored with whitespace around it may come back as it was read.
        if (title !== undefined && title !== current.resource.title) {
          // Others may have stored one title twice: keeping one's own is no renaming.
          const isKept = fold(title.trim()) === fold(current.resource.title.trim())
          if (!isKept) await assertFree(trx, title.trim(), id)
          await trx
            .updateTable(t.categories)
            .set({ title: stored(title) })
            .where('ID', '=', id)
            .execute()
        }
        if (products !== undefined) await relation.setProducts(trx, id, products)
        return id
      })
    },

    /** Takes all products out of the category. */
    clear(id: number) {
      return write(async (trx) => {
        await trx.deleteFrom(t.category_products).where('category_id', '=', id).execute()
        return id
      })
    },

    /** Removes the category and its assignments, never a product; false when there is none. */
    remove(id: number, check?: Check): Promise<boolean> {
      return guarded(
        async (trx) => {
          const current = await find(id, trx)
          if (!current) return false
          await check?.(current)
          await trx.deleteFrom(t.category_products).where('category_id', '=', id).execute()
          await trx.deleteFrom(t.categories).where('ID', '=', id).execute()
          return true
        },
        async () => (await find(id)) === undefined,
      )
    },
  }
}
