// The size of a picture or drawing before it is scaled, as the designer measured it.
import type { Drawing, DrawnShape } from './drawing.ts'
import { extentOfShapes } from './drawing-shapes.ts'
import { identity, invert, type Matrix, multiply, type Rectangle, translate } from './matrix.ts'
import { transformed } from './outline.ts'
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

/** The size of a page in the design, whose ratio must be the page's. */
export function pdfSize(
  element: PictureElement,
  { width, height }: { width: number; height: number },
): { width: number; height: number } {
  const scaled = ofDesign(element, { width, height })
  if (!scaled) assertSize(element, width, height)
  return scaled ?? { width, height }
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
 * A single shape in its own units: fabric replaces what the drawing says about its scale, turn and opacity by what the design
 * says, and moves clips into its space. Undefined for skewed shapes, whose skew remains.
 */
function standingAlone(only: DrawnShape): { shape: DrawnShape; area: Rectangle } | undefined {
  const [a, b, c, d] = only.matrix
  const isSkewed = Math.abs(a * c + b * d) > 1e-6 * Math.abs(a * d - b * c)
  const inner = invert(only.matrix)
  if (isSkewed || !inner) return undefined
  const shape = { ...moved(only, inner), matrix: identity, alpha: 1 }
  return { shape, area: extentOfShapes([shape]) }
}

const moved = (shape: DrawnShape, by: Matrix): DrawnShape => ({
  ...shape,
  matrix: multiply(by, shape.matrix),
  clips: shape.clips.map((clip) => ({ ...clip, outline: transformed(clip.outline, by) })),
})

/**
 * A drawing has the size of its document; a drawing of a single shape has the size of that shape, in its own units, as in
 * fabric.js. A stored size decides between the two.
 */
export function sizedDrawing(
  element: PictureElement,
  { width, height, shapes }: Drawing,
): { width: number; height: number; shapes: DrawnShape[]; note?: string } {
  const [only] = shapes
  // Palettes, for example, which hold nothing but colors.
  if (!only) return { width, height, shapes, note: 'The drawing shows nothing.' }
  const isStored = element.width !== undefined && element.height !== undefined
  const fits = (w: number, h: number) =>
    Math.abs((element.width ?? w) - w) <= 1 && Math.abs((element.height ?? h) - h) <= 1
  const alone = shapes.length === 1 ? standingAlone(only) : undefined
  if (alone) {
    const { area } = alone
    const sized = (sx: number, sy: number) => moved(alone.shape, [sx, 0, 0, sy, -area.x * sx, -area.y * sy])
    if (!isStored || fits(area.width, area.height))
      return { width: area.width, height: area.height, shapes: [sized(1, 1)] }
    const scaled = ofDesign(element, area)
    if (scaled && !(fits(width, height) && width > 0)) {
      const measured = `${round(area.width)} × ${round(area.height)}`
      const note = `The drawing's shape measures ${measured}, but the design was made with ${round(scaled.width)} × ${round(scaled.height)}, which is printed.`
      const shape = sized(scaled.width / area.width, scaled.height / area.height)
      return { ...scaled, shapes: [shape], note }
    }
  } else if (shapes.length === 1 && !isStored)
    throw new Undrawable(
      'drawing',
      'The size of a drawing of one skewed shape is not known. Save the drawing without transforms of the shape, and upload it again.',
    )
  if (!(width > 0 && height > 0)) {
    const area = extentOfShapes(shapes)
    assertSize(element, area.width, area.height)
    const atCorner = shapes.map((shape) => moved(shape, translate(-area.x, -area.y)))
    return { width: area.width, height: area.height, shapes: atCorner }
  }
  assertSize(element, width, height)
  return { width, height, shapes }
}
