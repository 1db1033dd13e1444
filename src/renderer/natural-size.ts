// The size of a picture or drawing before it is scaled, as the designer measured it.
import { type Drawing, type DrawnShape, extentOfShapes } from './drawing.ts'
import { type Matrix, multiply } from './matrix.ts'
import type { PictureElement } from './picture-element.ts'
import { Undrawable } from './refusal.ts'

/** The stored size must be that of the file, or the picture would be printed in another size. */
export function assertSize({ width, height }: PictureElement, ownWidth: number, ownHeight: number): void {
  const differs = (stored: number | undefined, own: number) =>
    stored !== undefined && Math.abs(stored - own) > 1
  if (differs(width, ownWidth) || differs(height, ownHeight)) {
    throw new Undrawable(
      'picture',
      `The file measures ${Math.round(ownWidth)} × ${Math.round(ownHeight)} pixels, but the design was made with ${Math.round(width ?? ownWidth)} × ${Math.round(height ?? ownHeight)}.`,
    )
  }
}

/** Share by which the ratios of a shape and of its size in the design may differ. */
const sameRatio = 0.02

/** Other versions of the designer measured a single shape in other units: the size in the design, if its ratio is the shape's. */
function ofDesign(
  { width, height }: PictureElement,
  area: { width: number; height: number },
): { width: number; height: number } | undefined {
  if (!(width && height && area.width > 0 && area.height > 0)) return undefined
  const ratio = width / height / (area.width / area.height)
  return Math.abs(ratio - 1) <= sameRatio ? { width, height } : undefined
}

const round = (value: number) => Math.round(value * 100) / 100

/**
 * A drawing has the size of its document; a drawing of a single shape has the size of that shape, in its own units, as in
 * fabric.js. A stored size decides between the two.
 */
export function sizedDrawing(
  element: PictureElement,
  { width, height, shapes }: Drawing,
): { width: number; height: number; shapes: DrawnShape[]; note?: string } {
  const [only] = shapes
  if (!only) throw new Undrawable('drawing', 'The drawing has no shapes.')
  const isStored = element.width !== undefined && element.height !== undefined
  const fits = (w: number, h: number) =>
    Math.abs((element.width ?? w) - w) <= 1 && Math.abs((element.height ?? h) - h) <= 1
  if (shapes.length === 1) {
    const plain = { ...only, matrix: [1, 0, 0, 1, 0, 0] as Matrix }
    const area = extentOfShapes([plain])
    const isUpright = only.matrix[1] === 0 && only.matrix[2] === 0 && only.matrix[0] > 0 && only.matrix[3] > 0
    const isAlone = isUpright && only.clips.length === 0
    if (isAlone && (!isStored || fits(area.width, area.height))) {
      const shape = { ...plain, matrix: [1, 0, 0, 1, -area.x, -area.y] as Matrix }
      return { width: area.width, height: area.height, shapes: [shape] }
    }
    const scaled = isAlone && ofDesign(element, area)
    if (scaled && !(fits(width, height) && width > 0)) {
      const [sx, sy] = [scaled.width / area.width, scaled.height / area.height]
      const shape = { ...plain, matrix: [sx, 0, 0, sy, -area.x * sx, -area.y * sy] as Matrix }
      const measured = `${round(area.width)} × ${round(area.height)}`
      const note = `The drawing's shape measures ${measured}, but the design was made with ${round(scaled.width)} × ${round(scaled.height)}, which is printed.`
      return { ...scaled, shapes: [shape], note }
    }
    if (!isStored)
      throw new Undrawable('drawing', 'The size of a drawing of one turned or clipped shape is not known.')
  }
  if (!(width > 0 && height > 0)) {
    const area = extentOfShapes(shapes)
    const moved = shapes.map((shape) => ({
      ...shape,
      matrix: multiply([1, 0, 0, 1, -area.x, -area.y], shape.matrix),
    }))
    if (shapes.some(({ clips }) => clips.length > 0))
      throw new Undrawable('drawing', 'The drawing has no size.')
    assertSize(element, area.width, area.height)
    return { width: area.width, height: area.height, shapes: moved }
  }
  assertSize(element, width, height)
  return { width, height, shapes }
}
