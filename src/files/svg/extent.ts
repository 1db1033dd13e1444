// Computes the areas that the elements of a drawing cover, and by how much transforms enlarge them.

import { shapeElements } from './allowed.ts'
import { areaOf, type Box, transformed, union } from './geometry.ts'
import type { ComputedStyle, Part } from './part.ts'

/** The area of an element whose size is unknown, in square units. */
export const unbounded = 1e30

/** At most `unbounded`, also for NaN. */
export const clamped = (value: number): number => (value <= unbounded ? value : unbounded)

/** For each element its children, without templates. */
export function childrenOf(parts: readonly Part[]): number[][] {
  const children: number[][] = parts.map(() => [])
  for (const [number, { isTemplate, parent }] of parts.entries())
    if (!isTemplate) children[parent]?.push(number)
  return children
}

/** For each element whether it, or an ancestor, is the target of a reference, and so may be drawn elsewhere too. */
export function reusedOf(parts: readonly Part[], drawn: readonly ComputedStyle[]): boolean[] {
  const targets = new Set(drawn.flatMap(({ references }) => references.map(({ to }) => to)))
  const repeated: boolean[] = []
  for (const [number, { parent }] of parts.entries())
    repeated.push(targets.has(number) || repeated[parent] === true)
  return repeated
}

/** The factor from an area in an element's coordinates to its parent's; `unbounded` if unknown. */
export function areaFactor({ matrix }: Part, own: ComputedStyle | undefined): number {
  return matrix && !own?.changesGeometry ? Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) : unbounded
}

/** For each element the factor from an area in its coordinates to the root's; 0 if unknown. */
export function areaScales(parts: readonly Part[], drawn: readonly ComputedStyle[]): number[] {
  const scales: number[] = []
  for (const [number, part] of parts.entries()) {
    const factor = part.parent >= 0 ? areaFactor(part, drawn[number]) : 1
    const scale = factor * (part.parent >= 0 ? (scales[part.parent] ?? 0) : 1)
    scales.push(scale < unbounded ? scale : 0)
  }
  return scales
}

/** How deep `use` elements may refer to each other so that their size is known. */
const maxUses = 4

/** What is known of each subtree: its bounding box, and whether it has parts of unknown size. */
interface Extents {
  boxes: (Box | undefined)[]
  isAny: boolean[]
}

/** For each element the area of the bounding box of its subtree, in square units. */
export function boxAreas(parts: readonly Part[], drawn: readonly ComputedStyle[]): number[] {
  let extents: Extents = { boxes: [], isAny: parts.map(() => true) }
  const passes = parts.some(({ name }) => name === 'use') ? maxUses : 1
  for (let pass = 0; pass < passes; pass++) extents = extentsOf(parts, drawn, extents)
  const { boxes, isAny } = extents
  return parts.map((_, number) => {
    const box = boxes[number]
    return isAny[number] ? unbounded : box ? clamped(areaOf(box)) : 0
  })
}

/** @param before what is known of the elements that a `use` may draw */
function extentsOf(parts: readonly Part[], drawn: readonly ComputedStyle[], before: Extents): Extents {
  const boxes: (Box | undefined)[] = []
  const isAny: boolean[] = []
  for (let number = parts.length - 1; number >= 0; number--) {
    const part = parts[number]
    if (!part) continue
    const { name, outline, parent, matrix, isTemplate } = part
    const own = name === 'use' ? usedBox(part, parts, drawn[number], before) : outline.box
    const box = union(boxes[number], widened(own, drawn[number]?.strokeWidth ?? 0))
    boxes[number] = box
    const changesGeometry = drawn[number]?.changesGeometry === true
    isAny[number] ||= changesGeometry || (shapeElements.has(name) && !own)
    if (isTemplate) continue
    if (isAny[number] || (box && !matrix)) isAny[parent] = true
    else if (box && matrix) boxes[parent] = union(boxes[parent], transformed(box, matrix))
  }
  return { boxes, isAny }
}

/** The box of what a `use` draws, in its coordinates; undefined if unknown. */
function usedBox(
  { outline }: Part,
  parts: readonly Part[],
  own: ComputedStyle | undefined,
  { boxes, isAny }: Extents,
): Box | undefined {
  const [used, ...others] = (own?.references ?? []).filter(({ kind }) => kind === 'use')
  const target = parts[used?.to ?? -1]
  const box = boxes[used?.to ?? -1]
  // A symbol or drawing has a size of its own.
  const isPlain = target && !target.isTemplate && target.name !== 'svg' && others.length === 0
  if (!used || !isPlain || isAny[used.to] || !box || !target.matrix || !outline.box) return undefined
  return transformed(transformed(box, target.matrix), [1, 0, 0, 1, outline.box.left, outline.box.top])
}

function widened(box: Box | undefined, by: number): Box | undefined {
  const half = by / 2
  return (
    box && { left: box.left - half, top: box.top - half, right: box.right + half, bottom: box.bottom + half }
  )
}
