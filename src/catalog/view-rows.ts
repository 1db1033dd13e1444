// The rows of `svc_views`: how they are read, one by one or all of a product, and how they become views in responses: decoding, state
// tag, values that cannot be read.
import { type Kysely, sql } from 'kysely'
import type { Found, Selection } from '../core/resource.ts'
import { turns } from '../core/turns.ts'
import type { Database } from '../db/connect.ts'
import { prepared } from '../db/prepared.ts'
import { isAny, type ReadOptions, readRow } from '../db/repository.ts'
import { stateTag } from '../db/state-tag.ts'
import type { Row, Tables } from '../db/tables.ts'

/** A view as the API returns it. `elements` and `options` are JSON texts, null if the stored value cannot be read. */
export interface View {
  id: number
  product_id: number
  title: string
  thumbnail: string
  elements: string | null
  options: string | null
  order: number
}

/** A row as stored, except that `view_order` is the view's position from 0, whatever number is stored. */
export type ViewRow = Row<'views'>

/** The property of each column. State tags of views follow the order of the columns, so it must not change. */
const viewFieldOf = {
  ID: 'id',
  product_id: 'product_id',
  title: 'title',
  thumbnail: 'thumbnail',
  elements: 'elements',
  view_order: 'order',
  options: 'options',
} as const satisfies Record<keyof ViewRow, keyof View>
/** All columns of the table, in the order of the state tag. */
export const viewColumns = Object.keys(viewFieldOf) as (keyof typeof viewFieldOf)[]

/**
 * The view of a row, with the properties of the columns that were read, and its values that cannot be read.
 * @param state tag of the row where it is known, so that its blobs need not be hashed again
 */
export const viewOf = (row: Pick<ViewRow, 'ID'> & Partial<ViewRow>, state?: string) =>
  readRow<View>('views', viewFieldOf, row, state)

/** State tag over all stored values of a view. */
export function viewState(row: ViewRow): string {
  return stateTag(...viewColumns.map((column) => row[column]))
}

/** A view with its state tag. Other requests get a turn in between, because its blobs may be as large as the largest body. */
async function foundView(row: ViewRow): Promise<Found<View>> {
  const turn = turns()
  const state = viewState(row)
  await turn()
  const { resource, unreadable } = viewOf(row, state)
  await turn()
  return { resource: resource as View, state, unreadable }
}

type Ordered = Pick<ViewRow, 'ID' | 'view_order'> & { product_id?: number }

/**
 * Compares views by product and stored order, as databases sort them: null comes first. Rows with blobs are sorted by this
 * function, because SQLite copies them several times to sort them.
 */
const byOrder = (a: Ordered, b: Ordered): number =>
  (a.product_id ?? 0) - (b.product_id ?? 0) ||
  (a.view_order ?? Number.NEGATIVE_INFINITY) - (b.view_order ?? Number.NEGATIVE_INFINITY) ||
  a.ID - b.ID

/** Copies of the rows with their position from 0 as `view_order`. The rows must be all views of their products, in order. */
function withPositions<R extends { product_id: number; view_order: number | null }>(rows: R[]): R[] {
  const next = new Map<number, number>()
  return rows.map((row) => {
    const position = next.get(row.product_id) ?? 0
    next.set(row.product_id, position + 1)
    return { ...row, view_order: position }
  })
}

/** A view with its stored order; other writers may leave gaps or use one number twice. */
export type Position = Pick<Row<'views'>, 'ID' | 'view_order'>

/** Reads the views of one database; `viewsRepository` contains these functions. */
export function viewReads(database: Database) {
  const { db, t, dialect } = database

  /** The product's views in their order, ties by id. */
  async function readPositions(productId: number, executor = db): Promise<Position[]> {
    return executor
      .selectFrom(t.views)
      .select(['ID', 'view_order'])
      .where('product_id', '=', productId)
      .orderBy('view_order')
      .orderBy('ID')
      .execute()
  }

  /**
   * SQL of the position of the row `v` among the views of its product, from 0: counts the views before it in the order of
   * `readPositions`, where null comes first. The order stands in the count rather than in `where`, because engines would
   * otherwise plan the use of an index at each execution.
   */
  const position = sql<number>`(select count(case when o.view_order < v.view_order or (o.view_order is null and
      v.view_order is not null) or (o.ID < v.ID and (o.view_order = v.view_order or (o.view_order is null and
      v.view_order is null))) then 1 end) from ${sql.table(t.views)} as o where o.product_id = v.product_id)`

  const selectById = (id: number) =>
    db
      .selectFrom(`${t.views} as v`)
      .select(viewColumns.filter((column) => column !== 'view_order'))
      .select(position.as('view_order'))
      .where('ID', '=', id)
  const plainRead = prepared(selectById)
  const lockingRead = prepared((id: number) =>
    dialect.locksRows ? selectById(id).forUpdate() : selectById(id),
  )

  /** The row of a view with its position; undefined when there is none. `lock` locks it until the transaction of `executor` ends. */
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
    positions: readPositions,

    /** All views of these products in their order, in one query. @throws SvcError 413 if they are too large together */
    async rowsOf(productIds: readonly number[], executor = db): Promise<ViewRow[]> {
      if (productIds.length === 0) return []
      const rows = await executor
        .selectFrom(t.views)
        .select(viewColumns)
        .where('product_id', 'in', productIds)
        .execute()
      return withPositions(rows.sort(byOrder))
    },

    /** The state tags of a product's views in their order, read one by one: together the views may be too large. */
    async statesOf(productId: number, executor = db): Promise<string[]> {
      const states: string[] = []
      for (const { ID } of await readPositions(productId, executor)) {
        const row = await read(executor, ID)
        if (row) states.push(viewState(row))
      }
      return states
    },

    /**
     * The rows of a product's views in their order, or of those that `include` names, with the columns of the selected fields;
     * undefined when there is no such product.
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
      const [positions, rows, exists] = await Promise.all([
        selection.has('order') ? readPositions(productId) : [],
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
      const positionById = new Map(positions.map(({ ID }, index) => [ID, index]))
      return rows.map((row) => ({ ...row, view_order: positionById.get(row.ID) ?? positions.length }))
    },
  }
}
