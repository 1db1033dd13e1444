// The views of products: rows of `svc_views`.
import type { CompiledQuery, Kysely } from 'kysely'
import { noteChange } from '../core/change.ts'
import { unknownReferences } from '../core/errors.ts'
import { readBack, type Unread } from '../core/read-back.ts'
import type { Check, Found } from '../core/resource.ts'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import { hotQuery } from '../db/prepared.ts'
import type { Tables, Written } from '../db/tables.ts'
import { isThere } from '../db/transaction.ts'
import { copyTitle } from './copy-title.ts'
import { mergedOptions } from './merged-options.ts'
import { viewOrder } from './view-order.ts'
import { viewReads } from './view-reads.ts'
import { foundView, type View, viewState } from './view-rows.ts'

export interface NewView {
  title: string
  thumbnail?: string
  elements?: unknown[]
  options?: Record<string, unknown>
  /** Position from 0; at the end when absent. */
  order?: number
}

interface ViewChanges {
  title?: string
  thumbnail?: string
  elements?: unknown[]
  options?: Record<string, unknown>
  product_id?: number
}

/** Columns that are written as they are sent. */
type PlainColumns = Pick<Written<'views'>, 'title' | 'thumbnail' | 'elements'>

export function viewsRepository(database: Database) {
  const { db, t, columns, transaction, singleUpdate } = database
  const { positions, arrange } = viewOrder(database)
  const reads = viewReads(database)
  const { read, find, productExists } = reads

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

  function plainColumns({ title, thumbnail, elements }: ViewChanges): PlainColumns {
    return {
      ...(title === undefined ? {} : { title: columns.text('views', 'title', 'title', title) }),
      ...(thumbnail === undefined
        ? {}
        : { thumbnail: columns.text('views', 'thumbnail', 'thumbnail', thumbnail) }),
      ...(elements === undefined
        ? {}
        : { elements: columns.json('views', 'elements', 'elements', elements) }),
    }
  }

  /** A view after a write. */
  const found = (id: number, executor: Kysely<Tables>) => readBack(id, () => find(id, executor))

  return {
    ...reads,

    /** Inserts a view at its position; undefined when there is no such product. */
    async create(productId: number, view: NewView): Promise<Found<View> | Unread | undefined> {
      return transaction(async (trx) => {
        await guard(database, trx, 'catalog')
        if (!(await productExists(trx, productId))) return undefined
        const others = await positions(productId, trx)
        const index = Math.min(view.order ?? others.length, others.length)
        const values = columns.together({
          product_id: productId,
          title: columns.text('views', 'title', 'title', view.title),
          thumbnail: columns.text('views', 'thumbnail', 'thumbnail', view.thumbnail ?? ''),
          elements: columns.json('views', 'elements', 'elements', view.elements ?? []),
          options: columns.json('views', 'options', 'options', view.options ?? {}),
          view_order: index,
        })
        const { insertId } = await trx.insertInto(t.views).values(values).executeTakeFirstOrThrow()
        await arrange(trx, others.toSpliced(index, 0, { ID: Number(insertId), view_order: index }))
        noteChange({ resource: 'view', action: 'created', id: Number(insertId) })
        return found(Number(insertId), trx)
      }, isThere(find))
    },

    /** Copies a view, blobs byte for byte, to the position right after it. */
    async duplicate(id: number, title: string | undefined): Promise<Found<View> | Unread | undefined> {
      return transaction(async (trx) => {
        await guard(database, trx, 'catalog')
        const source = await read(trx, id)
        if (!source) return undefined
        const { ID: _, ...copy } = source
        const newTitle = columns.text('views', 'title', 'title', title ?? copyTitle(source.title))
        const { insertId } = await trx
          .insertInto(t.views)
          .values(columns.together({ ...copy, title: newTitle }))
          .executeTakeFirstOrThrow()
        const others = (await positions(source.product_id, trx)).filter((row) => row.ID !== Number(insertId))
        const index = others.findIndex((row) => row.ID === id) + 1
        await arrange(
          trx,
          others.toSpliced(index, 0, { ID: Number(insertId), view_order: source.view_order }),
        )
        noteChange({ resource: 'view', action: 'created', id: Number(insertId) })
        return found(Number(insertId), trx)
      }, isThere(find))
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
     * Writes the given fields. `options` are merged unless `merge` is false; a new `product_id` moves the view to the end
     * of that product.
     * @throws SvcError 400 when that product does not exist, 409 when options cannot be merged; whatever `check` throws
     */
    async update(
      id: number,
      changes: ViewChanges,
      { merge = true, check }: { merge?: boolean | undefined; check?: Check | undefined } = {},
    ): Promise<Found<View> | Unread | undefined> {
      const plain = plainColumns(changes)
      const isPlain = !check && changes.options === undefined && changes.product_id === undefined
      if (isPlain && !database.storesChanges) {
        // One row and nothing to compare. 0 rows may also mean that it already has these values.
        const change = { resource: 'view', action: 'updated', id } as const
        const matched = await singleUpdate(plainUpdate(id, plain), change, () => hasColumns(id, plain))
        return matched > 0n ? found(id, db) : find(id)
      }
      return transaction(async (trx) => {
        if (changes.product_id !== undefined) await guard(database, trx, 'catalog')
        const row = await read(trx, id, true)
        if (!row) return undefined
        await check?.(foundView(row))
        const set: Written<'views'> = { ...plain }
        if (changes.options !== undefined) {
          const { options: now } = foundView(row).resource
          const options = merge ? await mergedOptions(t.views, id, now, changes.options) : changes.options
          if (options) set.options = columns.json('views', 'options', 'options', options)
        }
        const target = changes.product_id ?? row.product_id
        const moves = target !== row.product_id
        if (moves) {
          if (!(await productExists(trx, target))) throw unknownReferences('product_id', 'products', [target])
          set.product_id = target
        }
        if (Object.keys(set).length > 0)
          await trx.updateTable(t.views).set(columns.together(set)).where('ID', '=', id).execute()
        if (moves) {
          await arrange(trx, await positions(row.product_id, trx))
          const all = await positions(target, trx)
          const moved = all.filter((other) => other.ID === id)
          await arrange(trx, [...all.filter((other) => other.ID !== id), ...moved])
        }
        noteChange({ resource: 'view', action: 'updated', id, before: viewState(row) })
        return found(id, trx)
      }, isThere(find))
    },

    /** Removes a view and closes the gap. The id of the removed view; undefined when there is none. */
    async remove(id: number, check?: Check): Promise<number | undefined> {
      return transaction(
        async (trx) => {
          await guard(database, trx, 'catalog')
          const row = await read(trx, id, true)
          if (!row) return undefined
          await check?.(foundView(row))
          await trx.deleteFrom(t.views).where('ID', '=', id).execute()
          await arrange(trx, await positions(row.product_id, trx))
          noteChange({ resource: 'view', action: 'deleted', id, before: viewState(row) })
          return id
        },
        async () => (await find(id)) === undefined,
      )
    },
  }
}
