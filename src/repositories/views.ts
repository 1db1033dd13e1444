// The views of products: rows of `svc_views`, whose order within a product has neither gaps nor doubles after any write of ours.
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import { prepared, preparedWrite } from '../db/prepared.ts'
import type { Tables } from '../db/tables.ts'
import { isThere, retried } from '../db/transaction.ts'
import { invalidParams, unknownReferences } from '../errors.ts'
import { readBack, type Unread } from '../read-back.ts'
import { copyTitle } from './copy-title.ts'
import { mergedOptions } from './merged-options.ts'
import {
  type FoundView,
  foundView,
  type ViewRow,
  viewColumns,
  viewMemberOf,
  viewState,
  withPositions,
} from './view-rows.ts'

export interface NewView {
  title: string
  thumbnail?: string
  elements?: unknown[]
  options?: Record<string, unknown>
  /** Position from 0; at the end when absent. */
  order?: number
}

export interface ViewChanges {
  title?: string
  thumbnail?: string
  elements?: unknown[]
  options?: Record<string, unknown>
  product_id?: number
}

/** A view with the number that is stored as its order, which may leave gaps and stand twice. */
type Position = Pick<ViewRow, 'ID' | 'view_order'>
type Check = (current: FoundView & { resource: object }) => void | Promise<void>

export type ViewsRepository = ReturnType<typeof viewsRepository>

export function viewsRepository(database: Database) {
  const { db, t, dialect, columns, transaction } = database

  /** How many views of the product stand before the row `v`, in the order of all lists: doubles go by their ids. */
  const position = () =>
    sql<number>`(select count(*) from ${sql.table(t.views)} as o where o.product_id = v.product_id and (
      o.view_order < v.view_order or (o.view_order is null and v.view_order is not null) or (o.ID < v.ID and
      (o.view_order = v.view_order or (o.view_order is null and v.view_order is null)))))`
  const selectOne = (id: number) =>
    db
      .selectFrom(`${t.views} as v`)
      .select(viewColumns.filter((column) => column !== 'view_order'))
      .select(position().as('view_order'))
      .where('ID', '=', id)
  const plainRead = prepared(selectOne)
  const lockingRead = prepared((id: number) =>
    dialect.locksRows ? selectOne(id).forUpdate() : selectOne(id),
  )

  async function read(executor: Kysely<Tables>, id: number, lock = false): Promise<ViewRow | undefined> {
    const [row] = await (lock ? lockingRead : plainRead)(executor, id)
    return row
  }

  const updateTitle = preparedWrite((title: string, id: number) =>
    db.updateTable(t.views).set({ title }).where('ID', '=', id),
  )

  /** The commonest write has its text ready. Without a row that it changed, the view may be absent or only the same. */
  async function updatePlain(id: number, set: Partial<ViewRow>): Promise<bigint> {
    if (Object.keys(set).join() === 'title') return updateTitle(db, set.title ?? '', id)
    const [result] = await db.updateTable(t.views).set(set).where('ID', '=', id).execute()
    return result?.numUpdatedRows ?? 0n
  }

  async function positions(trx: Kysely<Tables>, productId: number): Promise<Position[]> {
    return trx
      .selectFrom(t.views)
      .select(['ID', 'view_order'])
      .where('product_id', '=', productId)
      .orderBy('view_order')
      .orderBy('ID')
      .execute()
  }

  /** Numbers the views in this order, in one statement, touching only those that move. */
  async function arrange(trx: Kysely<Tables>, selection: Position[]): Promise<void> {
    const moved = selection
      .map((row, order) => ({ ...row, order }))
      .filter((row) => row.view_order !== row.order)
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

  function plainColumns({ title, thumbnail, elements }: ViewChanges): Partial<ViewRow> {
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

  async function productExists(trx: Kysely<Tables>, id: number): Promise<boolean> {
    return (
      (await trx.selectFrom(t.products).select('ID').where('ID', '=', id).executeTakeFirst()) !== undefined
    )
  }

  async function find(id: number): Promise<FoundView | undefined> {
    const row = await read(db, id)
    return row && foundView(row)
  }

  /** A view as it is after a write. */
  const found = (id: number, executor: Kysely<Tables>) =>
    readBack(id, async () => {
      const row = await read(executor, id)
      return row && foundView(row)
    })

  return {
    find,

    /** Rows of all views of these products in their order, one query however many products. */
    async rowsOf(productIds: readonly number[], executor = db): Promise<ViewRow[]> {
      if (productIds.length === 0) return []
      const rows = await executor
        .selectFrom(t.views)
        .select(viewColumns)
        .where('product_id', 'in', productIds)
        .orderBy('product_id')
        .orderBy('view_order')
        .orderBy('ID')
        .execute()
      return withPositions(rows)
    },

    /** The states of a product's views in their order, read one by one: they may be too large to be read together. */
    async statesOf(productId: number, executor = db): Promise<string[]> {
      const states: string[] = []
      for (const { ID } of await positions(executor, productId)) {
        const row = await read(executor, ID)
        if (row) states.push(viewState(row))
      }
      return states
    },

    /** One product's views, or those of the named ids, with only the columns that are wanted; undefined when there is no such product. */
    async listOf(
      productId: number,
      selection: { has(member: string): boolean },
      include?: readonly number[],
    ): Promise<Partial<ViewRow>[] | undefined> {
      const select = viewColumns.filter((column) => column === 'ID' || selection.has(viewMemberOf[column]))
      const [all, rows, exists] = await Promise.all([
        selection.has('order') ? positions(db, productId) : [],
        db
          .selectFrom(t.views)
          .select(select)
          .where('product_id', '=', productId)
          .$if(include !== undefined, (query) => query.where('ID', 'in', include ?? []))
          .orderBy('view_order')
          .orderBy('ID')
          .execute(),
        productExists(db, productId),
      ])
      if (!exists) return undefined
      if (!selection.has('order')) return rows
      const positionOf = new Map(all.map(({ ID }, index) => [ID, index]))
      return rows.map((row) => ({ ...row, view_order: positionOf.get(row.ID) ?? all.length }))
    },

    /** Adds a view at its place; undefined when there is no such product. */
    async create(productId: number, view: NewView): Promise<FoundView | Unread | undefined> {
      return transaction(async (trx) => {
        await guard(database, trx, 'catalog')
        if (!(await productExists(trx, productId))) return undefined
        const others = await positions(trx, productId)
        const place = Math.min(view.order ?? others.length, others.length)
        const values = columns.together({
          product_id: productId,
          title: columns.text('views', 'title', 'title', view.title),
          thumbnail: columns.text('views', 'thumbnail', 'thumbnail', view.thumbnail ?? ''),
          elements: columns.json('views', 'elements', 'elements', view.elements ?? []),
          options: columns.json('views', 'options', 'options', view.options ?? {}),
          view_order: place,
        })
        const { insertId } = await trx.insertInto(t.views).values(values).executeTakeFirstOrThrow()
        await arrange(trx, others.toSpliced(place, 0, { ID: Number(insertId), view_order: place }))
        return found(Number(insertId), trx)
      }, isThere(find))
    },

    /** Copies a view, blobs byte for byte, to the place right after it. */
    async duplicate(id: number, title: string | undefined): Promise<FoundView | Unread | undefined> {
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
        const others = (await positions(trx, source.product_id)).filter((row) => row.ID !== Number(insertId))
        const place = others.findIndex((row) => row.ID === id) + 1
        await arrange(
          trx,
          others.toSpliced(place, 0, { ID: Number(insertId), view_order: source.view_order }),
        )
        return found(Number(insertId), trx)
      }, isThere(find))
    },

    /**
     * Writes the named members; `options` are merged unless `merge` is false, a new `product_id` moves the view to the
     * end of that product.
     * @throws SvcError 400 when that product does not exist, 409 where options cannot be merged; what `check` throws
     */
    async update(
      id: number,
      changes: ViewChanges,
      { merge = true, check }: { merge?: boolean | undefined; check?: Check | undefined } = {},
    ): Promise<FoundView | Unread | undefined> {
      const plain = plainColumns(changes)
      if (!check && changes.options === undefined && changes.product_id === undefined) {
        // One row, nothing to compare: the statement itself is the whole write.
        const changed = await retried(dialect, () => updatePlain(id, plain))
        return changed > 0n ? found(id, db) : find(id)
      }
      return transaction(async (trx) => {
        if (changes.product_id !== undefined) await guard(database, trx, 'catalog')
        const row = await read(trx, id, true)
        if (!row) return undefined
        await check?.(foundView(row))
        const set: Partial<ViewRow> = { ...plain }
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
          await arrange(trx, await positions(trx, row.product_id))
          const all = await positions(trx, target)
          const moved = all.filter((other) => other.ID === id)
          await arrange(trx, [...all.filter((other) => other.ID !== id), ...moved])
        }
        return found(id, trx)
      }, isThere(find))
    },

    /** Removes a view and closes the gap; false when there is none. */
    async remove(id: number, check?: Check): Promise<boolean> {
      return transaction(
        async (trx) => {
          await guard(database, trx, 'catalog')
          const row = await read(trx, id, true)
          if (!row) return false
          await check?.(foundView(row))
          await trx.deleteFrom(t.views).where('ID', '=', id).execute()
          await arrange(trx, await positions(trx, row.product_id))
          return true
        },
        async () => (await find(id)) === undefined,
      )
    },

    /**
     * Puts the views of a product into this order; to be called under the guard.
     * @throws SvcError 400 unless each of them is named once
     */
    async sort(trx: Kysely<Tables>, productId: number, ids: number[]): Promise<void> {
      const known = new Map((await positions(trx, productId)).map((row) => [row.ID, row]))
      const rows = ids.flatMap((id) => known.get(id) ?? [])
      if (ids.length !== known.size || new Set(rows).size !== known.size) {
        throw invalidParams({
          sorted_views: `must name each view of the product once: ${[...known.keys()].join(', ')}`,
        })
      }
      await arrange(trx, rows)
    },

    positions,
    arrange,
  }
}
