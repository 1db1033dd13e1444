// How a row of `svc_views` becomes a view in a response: decoding, state tag, values that cannot be read.
import type { Found } from '../core/resource.ts'
import { turns } from '../core/turns.ts'
import { readRow } from '../db/repository.ts'
import { stateTag } from '../db/state-tag.ts'
import type { Row } from '../db/tables.ts'

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
export const viewFieldOf = {
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
export async function foundView(row: ViewRow): Promise<Found<View>> {
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
export const byOrder = (a: Ordered, b: Ordered): number =>
  (a.product_id ?? 0) - (b.product_id ?? 0) ||
  (a.view_order ?? Number.NEGATIVE_INFINITY) - (b.view_order ?? Number.NEGATIVE_INFINITY) ||
  a.ID - b.ID

/** Copies of the rows with their position from 0 as `view_order`. The rows must be all views of their products, in order. */
export function withPositions<R extends { product_id: number; view_order: number | null }>(rows: R[]): R[] {
  const next = new Map<number, number>()
  return rows.map((row) => {
    const position = next.get(row.product_id) ?? 0
    next.set(row.product_id, position + 1)
    return { ...row, view_order: position }
  })
}
