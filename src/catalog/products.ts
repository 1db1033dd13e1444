// Products: rows of `svc_products` with their views and categories.
import type { Kysely } from 'kysely'
import { noteChange } from '../core/change.ts'
import { invalidParams, unknownReferences, unlessTooLarge } from '../core/errors.ts'
import { readBack, type Unread } from '../core/read-back.ts'
import type { Check, Found, Selection, Unreadable } from '../core/resource.ts'
import { mapInTurns, turns } from '../core/turns.ts'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import { stateTag } from '../db/state-tag.ts'
import type { NewRow, Tables, Written } from '../db/tables.ts'
import type { Totals } from '../db/totals.ts'
import { isThere } from '../db/transaction.ts'
import { assignments } from './assignments.ts'
import { copyTitle } from './copy-title.ts'
import { mergedOptions } from './merged-options.ts'
import { productPages } from './product-list.ts'
import {
  allColumns,
  fieldOf,
  type Product,
  type ProductRow,
  productOf,
  readViews,
  typeOf,
} from './product-rows.ts'
import type { ProductQuery } from './product-statements.ts'
import { viewOrder } from './view-order.ts'
import { viewState } from './view-rows.ts'
import { viewsRepository } from './views.ts'

interface ProductFields {
  title?: string
  type?: Product['type']
  thumbnail?: string
  options?: Record<string, unknown>
  categories?: number[]
}

interface ProductPatch extends ProductFields {
  sorted_views?: { id: number }[]
}

export interface FoundProduct extends Found<Product> {
  /** False where the views were left out because together they are too large. */
  isWhole: boolean
}

type PlainProduct = ProductFields & { title: string }

/** Fields of a copy that override those of its source. */
interface Overrides {
  title?: string | undefined
  type?: Product['type'] | undefined
  thumbnail?: string | undefined
}

export function productsRepository(database: Database, totals: Totals) {
  const { db, t, dialect, columns, transaction } = database
  const views = viewsRepository(database)
  const order = viewOrder(database)
  const relation = assignments(database)
  const page = productPages(database, totals)

  async function find(id: number, executor = db, lock = false): Promise<FoundProduct | undefined> {
    const row = await executor
      .selectFrom(t.products)
      .select(allColumns)
      .where('ID', '=', id)
      .$if(lock && dialect.locksRows, (query) => query.forUpdate())
      .executeTakeFirst()
    if (!row) return undefined
    const viewRows = await views.rowsOf([id], executor).catch(unlessTooLarge)
    const states = viewRows ? await mapInTurns(viewRows, viewState) : await views.statesOf(id, executor)
    const categories = (await relation.categoriesOf([id], executor)).get(id) ?? []
    const read = await readViews(viewRows ?? [], t.views)
    const { product, unreadable } = productOf(row)
    return {
      resource: { ...product, categories, views: read.views } as Product,
      state: stateTag(...allColumns.map((column) => row[column]), categories.join(), ...states),
      isWhole: viewRows !== undefined,
      unreadable: [...unreadable.map((column) => ({ id, column })), ...read.unreadable],
    }
  }

  /** Runs a write and returns the product whose id it returns; under the catalog guard where it writes other rows too. */
  async function write(
    work: (trx: Kysely<Tables>) => Promise<number | undefined>,
    guarded = true,
  ): Promise<FoundProduct | Unread | undefined> {
    const found = await transaction(async (trx) => {
      if (guarded) await guard(database, trx, 'catalog')
      const turn = turns()
      const id = await work(trx)
      await turn()
      return id === undefined ? undefined : readBack(id, () => find(id, trx))
    }, isThere(find))
    totals.forget()
    return found
  }

  async function sourceOf(trx: Kysely<Tables>, field: string, id: number): Promise<ProductRow> {
    const row = await trx.selectFrom(t.products).select(allColumns).where('ID', '=', id).executeTakeFirst()
    if (!row) throw unknownReferences(field, 'products', [id])
    return row
  }

  const text = (name: 'title' | 'thumbnail') => (value: string) => columns.text('products', name, name, value)
  const [title, thumbnail] = [text('title'), text('thumbnail')]
  const options = (value: unknown) => columns.json('products', 'options', 'options', value)

  function plainColumns(changes: ProductPatch): Written<'products'> {
    const set: Written<'products'> = {}
    if (changes.title !== undefined) set.title = title(changes.title)
    if (changes.type !== undefined) set.type = changes.type
    if (changes.thumbnail !== undefined) set.thumbnail = thumbnail(changes.thumbnail)
    return set
  }

  return {
    find: (id: number) => find(id),

    /** One page with the selected fields. */
    async list(query: ProductQuery, selection: Selection) {
      const own = allColumns.filter((column) => column === 'ID' || selection.has(fieldOf[column]))
      const withCategories = selection.has('categories')
      const { rows, total } = await page(query, withCategories ? [...own, 'categories'] : own)
      const [categories, viewRows] = await Promise.all([
        withCategories ? relation.readColumn(rows) : undefined,
        selection.has('views') ? views.rowsOf(rows.map((row) => row.ID)) : [],
      ])
      const viewsByProduct = Map.groupBy(viewRows, (row) => row.product_id)
      const unreadable: Unreadable[] = []
      const items = await mapInTurns(rows, async (row): Promise<Partial<Product>> => {
        const found = productOf(row)
        for (const column of found.unreadable) unreadable.push({ id: row.ID, column })
        const read = await readViews(viewsByProduct.get(row.ID) ?? [], t.views)
        unreadable.push(...read.unreadable)
        if (categories) found.product.categories = categories.get(row.ID) ?? []
        if (selection.has('views')) found.product.views = read.views
        return found.product
      })
      return { items, total, unreadable }
    },

    create(product: PlainProduct) {
      return write(async (trx) => {
        const id = await insert(trx, t.products, {
          title: title(product.title),
          type: product.type ?? 'catalog',
          thumbnail: thumbnail(product.thumbnail ?? ''),
          options: options(product.options ?? {}),
        })
        if (product.categories) await relation.setCategories(trx, id, product.categories)
        return id
      }, product.categories !== undefined)
    },

    /** @throws SvcError 400 when the source does not exist */
    duplicate(sourceId: number, own: Overrides) {
      return write(async (trx) => {
        const { ID, user_id: _, ...copy } = await sourceOf(trx, 'duplicate_product_id', sourceId)
        const id = await insert(trx, t.products, {
          ...copy,
          title: title(own.title ?? copyTitle(copy.title)),
          type: own.type ?? copy.type,
          thumbnail: own.thumbnail === undefined ? copy.thumbnail : thumbnail(own.thumbnail),
        })
        await views.copyAll(trx, ID, id)
        const categories = (await relation.categoriesOf([ID], trx)).get(ID) ?? []
        await relation.setCategories(trx, id, categories)
        return id
      })
    },

    /** @throws SvcError 400 when the source does not exist or is not a template */
    createFromTemplate(templateId: number, own: Omit<Overrides, 'type'>) {
      return write(async (trx) => {
        const template = await sourceOf(trx, 'template_id', templateId)
        if (typeOf(template) !== 'template')
          throw invalidParams({ template_id: `names the product ${templateId}, which is not a template` })
        const id = await insert(trx, t.products, {
          title: title(own.title ?? template.title ?? ''),
          type: 'catalog',
          thumbnail: own.thumbnail === undefined ? template.thumbnail : thumbnail(own.thumbnail),
          options: template.options,
        })
        await views.copyAll(trx, templateId, id)
        return id
      })
    },

    /**
     * `options` are merged unless `merge` is false.
     * @throws SvcError 400 for unknown categories or an incomplete list of views, 409 when options cannot be merged;
     *   whatever `check` throws
     */
    async update(
      id: number,
      changes: ProductPatch,
      { merge = true, check }: { merge?: boolean | undefined; check?: Check | undefined } = {},
    ) {
      const plain = plainColumns(changes)
      const { options: newOptions, categories, sorted_views: sortedViews } = changes
      // In a transaction, so that a write that is given up behind a lock is not done later.
      return write(
        async (trx) => {
          const found = await find(id, trx, true)
          if (!found) return undefined
          await check?.(found)
          const set = { ...plain }
          if (newOptions !== undefined) {
            const { options: now } = found.resource
            const next = merge ? await mergedOptions(t.products, id, now, newOptions) : newOptions
            if (next) set.options = options(next)
          }
          if (Object.keys(set).length > 0)
            await trx.updateTable(t.products).set(set).where('ID', '=', id).execute()
          if (categories) await relation.setCategories(trx, id, categories)
          const sorted = sortedViews?.map((view) => view.id)
          if (sorted) await order.sort(trx, id, sorted)
          noteChange({ resource: 'product', action: 'updated', id, before: found.state })
          return id
        },
        categories !== undefined || sortedViews !== undefined,
      )
    },

    /** Deletes the product, its views and its assignments. The id of the deleted product; undefined when there is none. */
    async remove(id: number, check?: Check): Promise<number | undefined> {
      const removed = await transaction(
        async (trx) => {
          await guard(database, trx, 'catalog')
          const found = await find(id, trx, true)
          if (!found) return undefined
          await check?.(found)
          await trx.deleteFrom(t.views).where('product_id', '=', id).execute()
          await trx.deleteFrom(t.category_products).where('product_id', '=', id).execute()
          await trx.deleteFrom(t.products).where('ID', '=', id).execute()
          noteChange({ resource: 'product', action: 'deleted', id, before: found.state })
          return id
        },
        async () => (await find(id)) === undefined,
      )
      totals.forget()
      return removed
    },
  }
}

async function insert(
  trx: Kysely<Tables>,
  table: Database['t']['products'],
  product: Omit<NewRow<'products'>, 'ID' | 'user_id'>,
): Promise<number> {
  const { insertId } = await trx
    .insertInto(table)
    .values({ ...product, user_id: 0 })
    .executeTakeFirstOrThrow()
  noteChange({ resource: 'product', action: 'created', id: Number(insertId) })
  return Number(insertId)
}
