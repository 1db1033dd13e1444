// The views of products: rows of `svc_views`, whose order has no gaps after each write.
import type { Kysely } from 'kysely'
import { invalidParams, unknownReferences } from '../core/errors.ts'
import { type Check, readBack, type Write } from '../core/resource.ts'
import type { Database } from '../db/connect.ts'
import { guardOf } from '../db/guard.ts'
import { insertedId, resourceWrites } from '../db/repository.ts'
import type { NewRow, Tables } from '../db/tables.ts'
import { copyTitle } from './copy-title.ts'
import { mergedOptions } from './merged-options.ts'
import { type Position, type View, viewColumns, viewReads } from './view-rows.ts'

/** The fields of a view to create. Those without an effect of their own are written to the column of the same name. */
export interface NewView
  extends Partial<Omit<View, 'id' | 'product_id' | 'title' | 'elements' | 'options' | 'order'>> {
  title: string
  elements?: unknown[]
  options?: Record<string, unknown>
  /** Position from 0; at the end when absent. */
  order?: number
}

interface ViewChanges extends Partial<Omit<NewView, 'order'>> {
  product_id?: number
}

const copiedColumns = viewColumns.filter((column) => column !== 'ID')

/** Reads and writes the views of one database. */
export function viewsRepository(database: Database) {
  const { t, encoder, transaction } = database
  const reads = viewReads(database)
  const { read, find, positions, productExists } = reads

  /** Numbers the views from 0 in the order of the array, in one statement that touches only those that move. */
  async function renumber(trx: Kysely<Tables>, views: Position[]): Promise<void> {
    const moved = views.map((row, order) => ({ ...row, order })).filter((row) => row.view_order !== row.order)
    if (moved.length === 0) return
    await trx
      .updateTable(t.views)
      .set((eb) => {
        // A CASE needs a first branch, and there is at least one row.
        const [first, ...further] = moved as [(typeof moved)[0], ...typeof moved]
        let cases = eb.case().when('ID', '=', first.ID).then(first.order)
        for (const row of further) cases = cases.when('ID', '=', row.ID).then(row.order)
        return { view_order: cases.else(eb.ref('view_order')).end() }
      })
      .where(
        'ID',
        'in',
        moved.map((row) => row.ID),
      )
      .execute()
  }

  /** Inserts a view among those of its product (`siblings`), at the position in its `view_order`. @returns its id */
  async function insertAt(
    trx: Kysely<Tables>,
    siblings: Position[],
    view: NewRow<'views'> & { view_order: number },
  ) {
    const { view_order } = view
    const ID = await insertedId(trx.insertInto(t.views).values(encoder.sendable(view)))
    await renumber(trx, siblings.toSpliced(view_order, 0, { ID, view_order }))
    return ID
  }

  /** Numbers the views of both products, after the view has got the id of its new product: it becomes the last one there. */
  async function moveToEnd(trx: Kysely<Tables>, id: number, { from, to }: { from: number; to: number }) {
    await renumber(trx, await positions(from, trx))
    const isMoved = ({ ID }: Position) => ID === id
    const all = await positions(to, trx)
    await renumber(trx, [...all.filter((row) => !isMoved(row)), ...all.filter(isMoved)])
  }

  const lockTable = guardOf(database, 'catalog')
  const { write, created, updated, remove } = resourceWrites({
    resource: 'view',
    find,
    transaction,
    lockTable,
  })

  return {
    ...reads,

    /** Inserts a view at its position; undefined when there is no such product. */
    create(
      productId: number,
      { title, thumbnail = '', elements = [], options = {}, order, ...columns }: NewView,
      writeOptions = readBack,
    ) {
      return write(async (trx) => {
        await lockTable(trx)
        if (!(await productExists(trx, productId))) return undefined
        const siblings = await positions(productId, trx)
        const view_order = Math.min(order ?? siblings.length, siblings.length)
        const view = encoder.row('views', { title, thumbnail, elements, options, ...columns })
        const id = await insertAt(trx, siblings, { product_id: productId, ...view, view_order })
        return created(trx, id, writeOptions)
      })
    },

    /** Copies a view, blobs byte for byte, to the position right after it. */
    duplicate(id: number, newTitle: string | undefined, writeOptions = readBack) {
      return write(async (trx) => {
        await lockTable(trx)
        const source = await read(trx, id)
        if (!source) return undefined
        const { ID: _, ...copy } = source
        const { title } = encoder.row('views', { title: newTitle ?? copyTitle(source.title) })
        const siblings = await positions(source.product_id, trx)
        const view_order = siblings.findIndex((row) => row.ID === id) + 1
        return created(trx, await insertAt(trx, siblings, { ...copy, title, view_order }), writeOptions)
      })
    },

    /** Copies all views of a product to another product, blobs byte for byte, in one statement. */
    async copyAll(trx: Kysely<Tables>, from: number, to: number): Promise<void> {
      await trx
        .insertInto(t.views)
        .columns(copiedColumns)
        .expression((eb) =>
          eb
            .selectFrom(`${t.views} as v`)
            .select((v) =>
              copiedColumns.map((column) =>
                column === 'product_id' ? v.val(to).as(column) : (`v.${column}` as const),
              ),
            )
            .where('v.product_id', '=', from)
            .orderBy('v.view_order')
            .orderBy('v.ID'),
        )
        .execute()
      await renumber(trx, await positions(to, trx))
    },

    /**
     * Puts the views of a product into this order. Call it under the catalog guard.
     * @throws SvcError 400 unless `ids` names each of them once
     */
    async sort(trx: Kysely<Tables>, productId: number, ids: number[]): Promise<void> {
      const byId = new Map((await positions(productId, trx)).map((row) => [row.ID, row]))
      const rows = ids.flatMap((id) => byId.get(id) ?? [])
      if (ids.length !== byId.size || new Set(rows).size !== byId.size) {
        throw invalidParams({
          sorted_views: `must name each view of the product once: ${[...byId.keys()].join(', ')}`,
        })
      }
      await renumber(trx, rows)
    },

    /**
     * Changes the fields that are present. `options` are merged unless `merge` is false; a new `product_id` moves the view to
     * the end of that product. The catalog guard is taken only for a move, because nothing else concerns other rows.
     * @throws SvcError 400 when that product does not exist, 409 when options cannot be merged; whatever `decide` throws
     */
    update(id: number, change: Write<ViewChanges>, { merge = true } = {}) {
      return write(async (trx) => {
        if (change.changes.product_id !== undefined) await lockTable(trx)
        const view = await find(id, trx, { lock: true })
        if (!view) return undefined
        const { options, product_id, ...columns } = await change.decide(view)
        const from = view.resource.product_id
        const to = product_id ?? from
        if (to !== from && !(await productExists(trx, to)))
          throw unknownReferences('product_id', 'products', [to])
        const next =
          merge && options ? await mergedOptions(t.views, id, view.resource.options, options) : options
        const set = encoder.row('views', {
          ...columns,
          options: next,
          product_id: to === from ? undefined : to,
        })
        if (Object.keys(set).length > 0)
          await trx.updateTable(t.views).set(encoder.sendable(set)).where('ID', '=', id).execute()
        if (to !== from) await moveToEnd(trx, id, { from, to })
        return updated(trx, view, change)
      })
    },

    /** Removes a view and closes the gap. */
    remove(id: number, check?: Check) {
      return remove(id, check, async (trx, { resource }) => {
        await trx.deleteFrom(t.views).where('ID', '=', id).execute()
        await renumber(trx, await positions(resource.product_id, trx))
      })
    },
  }
}
