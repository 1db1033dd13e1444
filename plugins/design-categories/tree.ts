// The rule of the tree: no category stands below itself, however many moves meet.

/** Category id to the id of its parent; 0 is no category. */
export type Parents = Map<number, number>

/** The category itself and those above it, from below; ends where others have left a circle or a missing parent. */
export function lineage(parents: Parents, id: number): number[] {
  const line = new Set<number>()
  for (let at = id; parents.has(at) && !line.has(at); at = parents.get(at) ?? 0) line.add(at)
  return [...line]
}

/** Where the children of a category go that is deleted: to its parent, or to the root where that one is no place for them. */
export function heirOf(parents: Parents, id: number): number {
  const above = parents.get(id) ?? 0
  return parents.has(above) && !lineage(parents, above).includes(id) ? above : 0
}
