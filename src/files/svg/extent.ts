// Where the elements of a drawing stand, how much they cover, and by how much they grow there.

import { shapeElements } from './allowed.ts'
import { areaOf, type Box, transformed, union } from './geometry.ts'
import type { ComputedStyle, Part } from './part.ts'

/** Square units of what may be of any size. */
export const unbounded = 1e30

/** What is beyond all measure, or no number at all, counts as `ANY`. */
export const clamped = (value: number): number => (value <= unbounded ? value : unbounded)

/** For each element the elements within it, without those that are drawn only where they are referred to. */
export function childrenOf(parts: readonly Part[]): number[][] {
  const children: number[][] = parts.map(() => [])
  for (const [number, { isTemplate, parent }] of parts.entries())
    if (!isTemplate) children[parent]?.push(number)
  return children
}

/** Whether elements may be drawn elsewhere than where they stand. */
export function reusedOf(parts: readonly Part[], drawn: readonly ComputedStyle[]): boolean[] {
  const targets = new Set(drawn.flatMap(({ references }) => references.map(({ to }) => to)))
  const repeated: boolean[] = []
  for (const [number, { parent }] of parts.entries())
    repeated.push(targets.has(number) || repeated[parent] === true)
  return repeated
}

/** By how much the square units of an element grow in its parent. */
export function areaFactor({ matrix }: Part, own: ComputedStyle | undefined): number {
  return matrix && !own?.changesGeometry ? Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) : unbounded
}

/** By how much the square units of what is within each element grow in the root; 0 where that is not known. */
export function areaScales(parts: readonly Part[], drawn: readonly ComputedStyle[]): number[] {
  const scales: number[] = []
  for (const [number, part] of parts.entries()) {
    const factor = part.parent >= 0 ? areaFactor(part, drawn[number]) : 1
    const scale = factor * (part.parent >= 0 ? (scales[part.parent] ?? 0) : 1)
    scales.push(scale < unbounded ? scale : 0)
  }
  return scales
}

/** The square units of the box of each element with what is within it. */
export function boxAreas(parts: readonly Part[], drawn: readonly ComputedStyle[]): number[] {
  const boxes: (Box | undefined)[] = []
  const isAny: boolean[] = []
  for (let number = parts.length - 1; number >= 0; number--) {
    const part = parts[number]
    if (!part) continue
    const { name, outline, parent, matrix, isTemplate } = part
    const box = union(boxes[number], widened(outline.box, drawn[number]?.strokeWidth ?? 0))
    boxes[number] = box
    const changesGeometry = drawn[number]?.changesGeometry === true
    isAny[number] ||= changesGeometry || (shapeElements.has(name) && !outline.box)
    if (isTemplate) continue
    if (isAny[number] || (box && !matrix)) isAny[parent] = true
    else if (box && matrix) boxes[parent] = union(boxes[parent], transformed(box, matrix))
  }
  return parts.map((_, number) => {
    const box = boxes[number]
    return isAny[number] ? unbounded : box ? clamped(areaOf(box)) : 0
  })
}

function widened(box: Box | undefined, by: number): Box | undefined {
  const half = by / 2
  return (
    box && { left: box.left - half, top: box.top - half, right: box.right + half, bottom: box.bottom + half }
  )
}
