// The views of products: rows of `svc_views`.
import type { CompiledQuery, Kysely } from 'kysely'
import { invalidParams, unknownReferences } from '../core/errors.ts'
import { readBack, type Unread } from '../core/read-back.ts'
import type { Check, Found } from '../core/resource.ts'
import type { Database } from '../db/connect.ts'
import { hotQuery } from '../db/prepared.ts'
import { insertedId, resourceWrites, underGuard } from '../db/repository.ts'
import type { NewRow, Tables, Written } from '../db/tables.ts'
import { copyTitle } from './copy-title.ts'
import { mergedOptions } from './merged-options.ts'
import { type Position, viewReads } from './view-reads.ts'
import type { View } from './view-rows.ts'

export interface NewView {
  title: string
  thumbnail?: string
  elements?: unknown[]
  options?: Record<string, unknown>
  /** Position from 0; at the end when absent. */
  order?: number
}

interface ViewChanges extends Partial<Omit<NewView, 'order'>> {
  product_id?: number
}

/** Columns that are written as they are sent. */
type PlainColumns = Pick<Written<'views'>, 'title' | 'thumbnail' | 'elements'>

export function viewsRepository(database: Database) {
  const { db, t, columns, singleUpdate } = database
  const reads = viewReads(database)
  const { read, find, positions, productExists } = reads

  /** The SQL of each combination of plain columns is kept. */
  const plainUpdates = new Map<string, ReturnType<typeof updateOf>>()
  const updateOf = (names: readonly string[]) =>
    hotQuery((id: number, ...values: unknown[]) =>
      db
        .updateTable(t.views)
        .set(Object.fromEntries(names.map((name, index) => [name, values[index]])))
        .where('ID', '=', id),
    )
  function plainUpdate(id: number, set: PlainColumns): CompiledQuery {
    const names = Object.keys(set)
    const update = plainUpdates.get(names.join()) ?? updateOf(names)
    plainUpdates.set(names.join(), update)
    return update(id, ...Object.values(set))
  }

  async function hasColumns(id: number, set: PlainColumns): Promise<boolean> {
    const row = await read(db, id)
    return Object.entries(set).every(
      ([name, value]) => String(Reflect.get(Object(row), name)) === String(value),
    )
  }

  /** Numbers the views from 0, in one statement that touches only those that move. */
  async function arrange(trx: Kysely<Tables>, views: Position[]): Promise<void> {
    const moved = views.map((row, order) => ({ ...row, order })).filter((row) => row.view_order !== row.order)
    if (moved.length === 0) return
    await trx
      .updateTable(t.views)
      .set((eb) => {
        const [first, ...others] = moved as [(typeof moved)[0], ...typeof moved]
        let cases = eb.case().when('ID', '=', first.ID).then(first.order)
        for (const row of others) cases = cases.when('ID', '=', row.ID).then(row.order)
        return { view_order: cases.else(eb.ref('view_order')).end() }
      })
      .where(
        'ID',
        'in',
        moved.map((row) => row.ID),
      )
      .execute()
  }

  /** Inserts a view among the others of its product, at the position in its `view_order`. */
  async function insertAt(
    trx: Kysely<Tables>,
    others: Position[],
    view: NewRow<'views'> & { view_order: number },
  ) {
    const { view_order } = view
    const ID = await insertedId(trx.insertInto(t.views).values(columns.together(view)))
    await arrange(trx, others.toSpliced(view_order, 0, { ID, view_order }))
    return ID
  }

  const writes = resourceWrites({ resource: 'view', find, run: underGuard(database, 'catalog') })

  return {
    ...reads,

    /** Inserts a view at its position; undefined when there is no such product. */
    create(productId: number, { title, thumbnail = '', elements = [], options = {}, order }: NewView) {
      return writes.create(async (trx) => {
        if (!(await productExists(trx, productId))) return undefined
        const others = await positions(productId, trx)
        const view_order = Math.min(order ?? others.length, others.length)
        const view = columns.row('views', { title, thumbnail, elements, options })
        return insertAt(trx, others, { product_id: productId, ...view, view_order })
      })
    },

    /** Copies a view, blobs byte for byte, to the position right after it. */
    duplicate(id: number, newTitle: string | undefined) {
      return writes.create(async (trx) => {
        const source = await read(trx, id)
        if (!source) return undefined
        const { ID: _, ...copy } = source
        const { title } = columns.row('views', { title: newTitle ?? copyTitle(source.title) })
        const others = await positions(source.product_id, trx)
        const view_order = others.findIndex((row) => row.ID === id) + 1
        return insertAt(trx, others, { ...copy, title, view_order })
      })
    },

    /** Copies all views of a product to another product, blobs byte for byte, in one statement. */
    async copyAll(trx: Kysely<Tables>, from: number, to: number): Promise<void> {
      await trx
        .insertInto(t.views)
        .columns(['product_id', 'title', 'thumbnail', 'elements', 'view_order', 'options'])
        .expression((eb) =>
          eb
            .selectFrom(`${t.views} as v`)
            .select((v) => [
              v.val(to).as('product_id'),
              'v.title',
              'v.thumbnail',
              'v.elements',
              'v.view_order',
              'v.options',
            ])
            .where('v.product_id', '=', from)
            .orderBy('v.view_order')
            .orderBy('v.ID'),
        )
        .execute()
      await arrange(trx, await positions(to, trx))
    },

    /**
     * Puts the views of a product into this order. Call it under the catalog guard.
     * @throws SvcError 400 unless `ids` names each of them once
     */
    async sort(trx: Kysely<Tables>, productId: number, ids: number[]): Promise<void> {
      const known = new Map((await positions(productId, trx)).map((row) => [row.ID, row]))
      const rows = ids.flatMap((id) => known.get(id) ?? [])
      if (ids.length !== known.size || new Set(rows).size !== known.size) {
        throw invalidParams({
          sorted_views: `must name each view of the product once: ${[...known.keys()].join(', ')}`,
        })
      }
      await arrange(trx, rows)
    },

    /**
     * Writes the given fields. `options` are merged unless `merge` is false; a new `product_id` moves the view to the end
     * of that product.
     * @throws SvcError 400 when that product does not exist, 409 when options cannot be merged; whatever `check` throws
     */
    async update(
      id: number,
      { title, thumbnail, elements, options, product_id }: ViewChanges,
      { merge = true, check }: { merge?: boolean | undefined; check?: Check | undefined } = {},
    ): Promise<Found<View> | Unread | undefined> {
      const plain = columns.row('views', { title, thumbnail, elements })
      const isPlain = !check && options === undefined && product_id === undefined
      if (isPlain && !database.storesChanges) {
        // One row and nothing to compare. 0 rows may also mean that it already has these values.
        const change = { resource: 'view', action: 'updated', id } as const
        const matched = await singleUpdate(plainUpdate(id, plain), change, () => hasColumns(id, plain))
        return matched > 0n ? readBack(id, () => find(id)) : find(id)
      }
      return writes.update(
        id,
        check,
        async (trx, { resource: now }) => {
          const next = merge ? await mergedOptions(t.views, id, now.options, options) : options
          const set: Written<'views'> = { ...plain, ...columns.row('views', { options: next }) }
          const target = product_id ?? now.product_id
          const moves = target !== now.product_id
          if (moves) {
            if (!(await productExists(trx, target)))
              throw unknownReferences('product_id', 'products', [target])
            set.product_id = target
          }
          if (Object.keys(set).length > 0)
            await trx.updateTable(t.views).set(columns.together(set)).where('ID', '=', id).execute()
          if (!moves) return
          await arrange(trx, await positions(now.product_id, trx))
          const all = await positions(target, trx)
          const moved = all.filter((other) => other.ID === id)
          await arrange(trx, [...all.filter((other) => other.ID !== id), ...moved])
        },
        product_id !== undefined,
      )
    },

    /** Removes a view and closes the gap. */
    remove(id: number, check?: Check) {
      return writes.remove(id, check, async (trx, { resource }) => {
        await trx.deleteFrom(t.views).where('ID', '=', id).execute()
        await arrange(trx, await positions(resource.product_id, trx))
      })
    },
  }
}
