// How a row of `svc_views` becomes the view that the API gives: decoding, state, what cannot be read.
import { stateTag } from '../db/state-tag.ts'
import { readStoredJson } from '../db/stored-json.ts'
import type { Tables } from '../db/tables.ts'

/** Blobs are JSON text; null where the stored value cannot be read. */
export interface View {
  id: number
  product_id: number
  title: string
  thumbnail: string
  elements: string | null
  options: string | null
  order: number
}

export interface FoundView {
  resource: View
  state: string
  /** Columns whose stored values cannot be read. */
  unreadable: string[]
}

/** A row as it is stored, but for `view_order`: here it is the view's position from 0, whatever number is stored. */
export type ViewRow = Pick<
  Tables['views'],
  'product_id' | 'title' | 'thumbnail' | 'elements' | 'view_order' | 'options'
> & { ID: number }

export const viewColumns = [
  'ID',
  'product_id',
  'title',
  'thumbnail',
  'elements',
  'view_order',
  'options',
] as const

export const viewMemberOf: Record<(typeof viewColumns)[number], keyof View> = {
  ID: 'id',
  product_id: 'product_id',
  title: 'title',
  thumbnail: 'thumbnail',
  elements: 'elements',
  view_order: 'order',
  options: 'options',
}

/**
 * A row, or as much of it as was read, as the API gives it.
 * @param state the row's state tag, where it is known: it spares hashing the blobs once more
 */
export function viewOf(row: Partial<ViewRow>, state?: string): { view: Partial<View>; unreadable: string[] } {
  const view: Partial<View> = {}
  const unreadable: string[] = []
  const blob = (column: 'elements' | 'options', empty: '[]' | '{}') => {
    const stored = row[column]
    if (stored === undefined) return
    view[column] = readStoredJson(stored, empty, state && `${state} ${column}`) ?? null
    if (view[column] === null) unreadable.push(column)
  }
  if (row.ID !== undefined) view.id = row.ID
  if (row.product_id !== undefined) view.product_id = row.product_id
  if (row.title !== undefined) view.title = row.title ?? ''
  if (row.thumbnail !== undefined) view.thumbnail = row.thumbnail ?? ''
  if (row.view_order !== undefined) view.order = row.view_order ?? 0
  blob('elements', '[]')
  blob('options', '{}')
  return { view, unreadable }
}

/** The stored values that make up a view's state. */
export function viewState(row: ViewRow): string {
  return stateTag(...viewColumns.map((column) => row[column]))
}

export function foundView(row: ViewRow): FoundView {
  const state = viewState(row)
  const { view, unreadable } = viewOf(row, state)
  return { resource: view as View, state, unreadable }
}

/** Gives each row its position among the views of its product; the rows must be all of theirs, in order. */
export function withPositions<R extends { product_id: number; view_order: number | null }>(rows: R[]): R[] {
  const next = new Map<number, number>()
  return rows.map((row) => {
    const position = next.get(row.product_id) ?? 0
    next.set(row.product_id, position + 1)
    return { ...row, view_order: position }
  })
}
