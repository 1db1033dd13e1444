// Reading views: rows of `svc_views`, one by one or those of a product.
import { type Kysely, sql } from 'kysely'
import type { Found, Selection } from '../core/resource.ts'
import type { Database } from '../db/connect.ts'
import { prepared } from '../db/prepared.ts'
import { isAny, type ReadOptions } from '../db/repository.ts'
import type { Row, Tables } from '../db/tables.ts'
import {
  byOrder,
  foundView,
  type View,
  type ViewRow,
  viewColumns,
  viewFieldOf,
  viewState,
  withPositions,
} from './view-rows.ts'

/** A view with its stored order; other writers may leave gaps or use one number twice. */
export type Position = Pick<Row<'views'>, 'ID' | 'view_order'>

export function viewReads(database: Database) {
  const { db, t, dialect } = database

  /** The product's views in their order, ties by id. */
  async function positions(productId: number, executor = db): Promise<Position[]> {
    return executor
      .selectFrom(t.views)
      .select(['ID', 'view_order'])
      .where('product_id', '=', productId)
      .orderBy('view_order')
      .orderBy('ID')
      .execute()
  }

  /** Position of the row `v` among the views of its product; the same order as that of `positions`. */
  // Without a condition on the order, the engine need not plan its use at each execution.
  const position = sql<number>`(select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from ${sql.table(t.views)} as o where o.product_id = v.product_id)`

  const selectOne = (id: number) =>
    db
      .selectFrom(`${t.views} as v`)
      .select(viewColumns.filter((column) => column !== 'view_order'))
      .select(position.as('view_order'))
      .where('ID', '=', id)
  const plainRead = prepared(selectOne)
  const lockingRead = prepared((id: number) =>
    dialect.locksRows ? selectOne(id).forUpdate() : selectOne(id),
  )

  const read = (
    executor: Kysely<Tables>,
    id: number,
    { lock = false }: ReadOptions = {},
  ): Promise<ViewRow | undefined> => (lock ? lockingRead : plainRead)(executor, id).then(([row]) => row)

  const productExists = (trx: Kysely<Tables>, id: number) =>
    isAny(trx.selectFrom(t.products).select('ID').where('ID', '=', id))

  async function find(
    id: number,
    executor = db,
    { lock = false }: ReadOptions = {},
  ): Promise<Found<View> | undefined> {
    const row = await read(executor, id, { lock })
    return row && foundView(row)
  }

  return {
    read,
    productExists,
    find,
    positions,

    /** All views of these products in their order, in one query. */
    async rowsOf(productIds: readonly number[], executor = db): Promise<ViewRow[]> {
      if (productIds.length === 0) return []
      const rows = await executor
        .selectFrom(t.views)
        .select(viewColumns)
        .where('product_id', 'in', productIds)
        .execute()
      return withPositions(rows.sort(byOrder))
    },

    /** The states of a product's views in their order, read one by one: together they may be too large. */
    async statesOf(productId: number, executor = db): Promise<string[]> {
      const states: string[] = []
      for (const { ID } of await positions(productId, executor)) {
        const row = await read(executor, ID)
        if (row) states.push(viewState(row))
      }
      return states
    },

    /**
     * The views of a product, or those of them that `include` names, with the selected fields; undefined when there is no
     * such product.
     */
    async listOf(
      productId: number,
      selection: Selection,
      include?: readonly number[],
    ): Promise<(Partial<ViewRow> & Pick<ViewRow, 'ID'>)[] | undefined> {
      const needed = ['ID', 'view_order']
      const select = viewColumns.filter(
        (column) => needed.includes(column) || selection.has(viewFieldOf[column]),
      )
      const [all, rows, exists] = await Promise.all([
        selection.has('order') ? positions(productId) : [],
        db
          .selectFrom(t.views)
          .select(select)
          .where('product_id', '=', productId)
          .$if(include !== undefined, (query) => query.where('ID', 'in', include ?? []))
          .execute(),
        productExists(db, productId),
      ])
      if (!exists) return undefined
      rows.sort(byOrder)
      if (!selection.has('order')) return rows.map(({ view_order: _, ...row }) => row)
      const positionOf = new Map(all.map(({ ID }, index) => [ID, index]))
      return rows.map((row) => ({ ...row, view_order: positionOf.get(row.ID) ?? all.length }))
    },
  }
}
