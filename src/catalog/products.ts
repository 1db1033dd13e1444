// Products: rows of `svc_products` with their views and categories.
import type { Kysely } from 'kysely'
import { invalidParams, unknownReferences, unlessTooLarge } from '../core/errors.ts'
import {
  type Check,
  type Found,
  readBack,
  type Selection,
  type Unreadable,
  type Write,
} from '../core/resource.ts'
import { mapInTurns } from '../core/turns.ts'
import type { Database } from '../db/connect.ts'
import { guardOf } from '../db/guard.ts'
import { insertedId, type ReadOptions, resourceWrites, thenForget } from '../db/repository.ts'
import { stateTag } from '../db/state-tag.ts'
import type { NewRow, Tables } from '../db/tables.ts'
import type { Totals } from '../db/totals.ts'
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
import type { TitleList } from './title-list.ts'
import { viewState } from './view-rows.ts'
import { viewsRepository } from './views.ts'

/** The fields of a request. Those without an effect of their own are written to the column of the same name. */
interface ProductPatch extends Partial<Omit<Product, 'id' | 'user_id' | 'options' | 'views'>> {
  options?: Record<string, unknown>
  sorted_views?: { id: number }[]
}

type NewProduct = Omit<ProductPatch, 'sorted_views'> & { title: string }

/** Fields of a copy that override those of its source. */
type Overrides = { [F in 'title' | 'type' | 'thumbnail']?: ProductPatch[F] | undefined }

/** A product with its views. */
export interface FoundProduct extends Found<Product> {
  /** False if `views` is empty because the views are too large together. */
  isWhole: boolean
}

/** Reads and writes the products of one database; each write makes `totals` and `titles` out of date. */
export function productsRepository(database: Database, totals: Totals, titles: TitleList) {
  const { db, t, dialect, encoder } = database
  const views = viewsRepository(database)
  const relation = assignments(database)
  const readPage = productPages(database, totals, titles)

  async function find(
    id: number,
    executor = db,
    { lock = false }: ReadOptions = {},
  ): Promise<FoundProduct | undefined> {
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
    const decoded = await readViews(viewRows ?? [], t.views)
    const { product, unreadable } = productOf(row)
    return {
      // Complete, because all columns were read.
      resource: { ...product, categories, views: decoded.views } as Product,
      state: stateTag(...allColumns.map((column) => row[column]), categories.join(), ...states),
      isWhole: viewRows !== undefined,
      unreadable: [...unreadable, ...decoded.unreadable],
    }
  }

  const lockTable = guardOf(database, 'catalog')
  const { write, created, updated, remove } = resourceWrites({
    resource: 'product',
    find,
    transaction: thenForget(database.transaction, totals, titles),
    lockTable,
  })

  /** The product to copy. @throws SvcError 400 naming the field of the request if there is none */
  async function sourceOf(trx: Kysely<Tables>, field: string, id: number): Promise<ProductRow> {
    const row = await trx.selectFrom(t.products).select(allColumns).where('ID', '=', id).executeTakeFirst()
    if (!row) throw unknownReferences(field, 'products', [id])
    return row
  }

  const insert = (trx: Kysely<Tables>, product: Omit<NewRow<'products'>, 'ID' | 'user_id'>) =>
    insertedId(trx.insertInto(t.products).values({ ...product, user_id: 0 }))

  return {
    find: (id: number) => find(id),

    /** The products of a page with the selected fields, the number of products on all pages, and the values that cannot be read. */
    async list(query: ProductQuery, selection: Selection) {
      const columnsToRead = allColumns.filter((column) => column === 'ID' || selection.has(fieldOf[column]))
      const withCategories = selection.has('categories')
      const { rows, total } = await readPage(
        query,
        withCategories ? [...columnsToRead, 'categories'] : columnsToRead,
      )
      const [categories, viewRows] = await Promise.all([
        withCategories ? relation.readColumn(rows) : undefined,
        selection.has('views') ? views.rowsOf(rows.map((row) => row.ID)) : [],
      ])
      const viewsByProduct = Map.groupBy(viewRows, (row) => row.product_id)
      const unreadable: Unreadable[] = []
      const items = await mapInTurns(rows, async (row): Promise<Partial<Product>> => {
        const decoded = productOf(row)
        const { product } = decoded
        const decodedViews = await readViews(viewsByProduct.get(row.ID) ?? [], t.views)
        unreadable.push(...decoded.unreadable, ...decodedViews.unreadable)
        if (categories) product.categories = categories.get(row.ID) ?? []
        if (selection.has('views')) product.views = decodedViews.views
        return product
      })
      return { items, total, unreadable }
    },

    /** Creates a product without views. @throws SvcError 400 for unknown categories */
    create(
      { title, type = 'catalog', thumbnail = '', options = {}, categories, ...columns }: NewProduct,
      writeOptions = readBack,
    ) {
      return write(async (trx) => {
        if (categories) await lockTable(trx)
        const id = await insert(trx, encoder.row('products', { title, type, thumbnail, options, ...columns }))
        if (categories) await relation.setCategories(trx, id, categories)
        return created(trx, id, writeOptions)
      })
    },

    /** Copies a product with its views and categories. @throws SvcError 400 when the source does not exist */
    duplicate(sourceId: number, overrides: Overrides, writeOptions = readBack) {
      return write(async (trx) => {
        await lockTable(trx)
        const { ID, user_id: _, ...copy } = await sourceOf(trx, 'duplicate_product_id', sourceId)
        const title = overrides.title ?? copyTitle(copy.title)
        const id = await insert(trx, { ...copy, ...encoder.row('products', { ...overrides, title }) })
        await views.copyAll(trx, ID, id)
        const categories = (await relation.categoriesOf([ID], trx)).get(ID) ?? []
        await relation.setCategories(trx, id, categories)
        return created(trx, id, writeOptions)
      })
    },

    /** Creates a product with the views of a template. @throws SvcError 400 unless the source is a template */
    createFromTemplate(templateId: number, overrides: Omit<Overrides, 'type'>, writeOptions = readBack) {
      return write(async (trx) => {
        await lockTable(trx)
        const template = await sourceOf(trx, 'template_id', templateId)
        if (typeOf(template) !== 'template')
          throw invalidParams({ template_id: `names the product ${templateId}, which is not a template` })
        const { thumbnail, options } = template
        const title = overrides.title ?? template.title ?? ''
        const product = {
          thumbnail,
          options,
          ...encoder.row('products', { ...overrides, title }),
          type: 'catalog',
        }
        const id = await insert(trx, product)
        await views.copyAll(trx, templateId, id)
        return created(trx, id, writeOptions)
      })
    },

    /**
     * Changes the fields that are present. `options` are merged unless `merge` is false; `sorted_views` reorders the views.
     * @throws SvcError 400 for unknown categories or an incomplete list of views, 409 when options cannot be merged;
     *   whatever `decide` throws
     */
    update(id: number, change: Write<ProductPatch>, { merge = true } = {}) {
      return write(async (trx) => {
        if (change.changes.categories || change.changes.sorted_views) await lockTable(trx)
        const product = await find(id, trx, { lock: true })
        if (!product) return undefined
        const changes = await change.decide(product)
        const { options, categories, sorted_views: sortedViews, ...columns } = changes
        const stored = product.resource.options
        const next = merge && options ? await mergedOptions(t.products, id, stored, options) : options
        const set = encoder.row('products', { ...columns, options: next })
        if (Object.keys(set).length > 0)
          await trx.updateTable(t.products).set(set).where('ID', '=', id).execute()
        if (categories) await relation.setCategories(trx, id, categories)
        const sorted = sortedViews?.map((view) => view.id)
        if (sorted) await views.sort(trx, id, sorted)
        return updated(trx, product, change)
      })
    },

    /** Deletes the product, its views and its assignments. */
    remove(id: number, check?: Check) {
      return remove(id, check, async (trx) => {
        await trx.deleteFrom(t.views).where('product_id', '=', id).execute()
        await trx.deleteFrom(t.category_products).where('product_id', '=', id).execute()
        await trx.deleteFrom(t.products).where('ID', '=', id).execute()
      })
    },
  }
}
