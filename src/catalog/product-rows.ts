// Rows of `svc_products`, and the products that they hold.
import type { Unreadable } from '../core/resource.ts'
import { mapInTurns } from '../core/turns.ts'
import { readRow } from '../db/repository.ts'
import type { Row } from '../db/tables.ts'
import { type View, type ViewRow, viewOf } from './view-rows.ts'

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

export const fieldOf = {
  ID: 'id',
  title: 'title',
  type: 'type',
  thumbnail: 'thumbnail',
  options: 'options',
  user_id: 'user_id',
} as const
export const allColumns = Object.keys(fieldOf) as (keyof typeof fieldOf)[]

/** Views as responses carry them, and what cannot be read of them. */
export async function readViews(rows: readonly ViewRow[], table: string) {
  const read = await mapInTurns(rows, (row) => viewOf(row))
  const unreadable = read.flatMap((view) => view.unreadable.map((lost): Unreadable => ({ ...lost, table })))
  return { views: read.map(({ resource }) => resource as View), unreadable }
}

export function typeOf(row: Pick<ProductRow, 'type'>): Product['type'] {
  return row.type === 'template' ? 'template' : 'catalog'
}

/** The product of a row, or of the columns that were read. */
export function productOf(row: Pick<ProductRow, 'ID'> & Partial<ProductRow>) {
  const { resource, unreadable } = readRow<Product>('products', fieldOf, row)
  if (row.type !== undefined) resource.type = typeOf({ type: row.type })
  return { product: resource, unreadable }
}
