// The tree of design categories: which parents are possible, and the order of a list.
import { fold } from '../db/fold.ts'
import type { Row } from '../db/tables.ts'

/** The columns that a list is filtered and sorted by; the others are large. */
export const treeColumns = ['ID', 'title', 'parent_id', 'category_order'] as const

export type TreeRow = Pick<Row<'designs'>, (typeof treeColumns)[number]>

/** Category id to the id of its parent, 0 for a root. */
export type Parents = Map<number, number>

/** The category itself and its ancestors, from the bottom up. It ends at a cycle or a missing parent, which another writer left. */
export function lineage(parents: Parents, id: number): number[] {
  const line = new Set<number>()
  for (let next = id; parents.has(next) && !line.has(next); next = parents.get(next) ?? 0) line.add(next)
  return [...line]
}

/** The new parent of a deleted category's children: its own parent, or 0 if that one is missing or in a cycle. */
export function newParentOf(parents: Parents, id: number): number {
  const parent = parents.get(id) ?? 0
  return parents.has(parent) && !lineage(parents, parent).includes(id) ? parent : 0
}

/** The rows in the order of parent, order and title. */
export function inOrder(rows: TreeRow[]): TreeRow[] {
  return rows
    .map((row) => ({ row, title: fold(row.title ?? '') }))
    .sort(
      (a, b) =>
        (a.row.parent_id ?? 0) - (b.row.parent_id ?? 0) ||
        (a.row.category_order ?? 0) - (b.row.category_order ?? 0) ||
        (a.title < b.title ? -1 : a.title > b.title ? 1 : a.row.ID - b.row.ID),
    )
    .map(({ row }) => row)
}
