// How a row of `svc_views` becomes the view that the API gives: decoding, state, what cannot be read.
import { stateTag } from '../db/state-tag.ts'
import { readStoredJson } from '../db/stored-json.ts'
import type { Tables } from '../db/tables.ts'
import { JsonText, jsonTextOf, mergePatch, parseExact } from '../json.ts'
import { largeFrom, offThread } from '../off-thread/off-thread.ts'

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

/** A stored object after a merge patch; what cannot be read is replaced. Large ones are merged off the main thread. */
export async function merged(stored: string | null, patch: Record<string, unknown>): Promise<unknown> {
  const target = readStoredJson(stored, '{}') ?? '{}'
  if (target.length < largeFrom && !(patch instanceof JsonText)) return mergePatch(parseExact(target), patch)
  return new JsonText(await offThread(import.meta.url, 'mergedText', target, jsonTextOf(patch)))
}

/** Runs on the other thread. */
export function mergedText(target: string, patch: string) {
  return JsonText.parts(JSON.stringify(mergePatch(parseExact(target), parseExact(patch))))
}
