// How a row of `svc_products` becomes a product in a response.
import type { Unreadable } from '../core/resource.ts'
import { mapInTurns } from '../core/turns.ts'
import { readRow } from '../db/repository.ts'
import type { Row } from '../db/tables.ts'
import { type View, type ViewRow, viewOf } from './view-rows.ts'

/** A product as the API returns it. Requests may set each property except `id`, `user_id` and `views`, with `options` as an object. */
export interface Product {
  id: number
  title: string
  type: 'catalog' | 'template'
  thumbnail: string
  /** JSON text; null if the stored value cannot be read. */
  options: string | null
  user_id: number
  /** Ids of its categories, ascending. */
  categories: number[]
  views?: View[]
}

export type ProductRow = Row<'products'>

/** The property of each column. State tags of products follow the order of the columns, so it must not change. */
export const fieldOf = {
  ID: 'id',
  title: 'title',
  type: 'type',
  thumbnail: 'thumbnail',
  options: 'options',
  user_id: 'user_id',
} as const
export const allColumns = Object.keys(fieldOf) as (keyof typeof fieldOf)[]

/**
 * The views of rows, and their values that cannot be read.
 * @param table physical name of the views, which the unreadable values name
 */
export async function readViews(rows: readonly ViewRow[], table: string) {
  const decoded = await mapInTurns(rows, (row) => viewOf(row))
  const unreadable = decoded.flatMap((view) =>
    view.unreadable.map((value): Unreadable => ({ ...value, table })),
  )
  // Complete, because whole rows were decoded.
  return { views: decoded.map(({ resource }) => resource as View), unreadable }
}

/** The type of a row; other writers may leave it empty, which means `catalog`. */
export function typeOf(row: Pick<ProductRow, 'type'>): Product['type'] {
  return row.type === 'template' ? 'template' : 'catalog'
}

/** The product of a row, with the properties of the columns that were read, and its values that cannot be read. */
export function productOf(row: Pick<ProductRow, 'ID'> & Partial<ProductRow>) {
  const { resource, unreadable } = readRow<Product>('products', fieldOf, row)
  if (row.type !== undefined) resource.type = typeOf({ type: row.type })
  return { product: resource, unreadable }
}
