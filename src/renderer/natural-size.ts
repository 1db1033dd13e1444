// Finds the size of a picture, a drawing or a page before it is scaled, as the designer measured it.
import type { Drawing, DrawnShape } from './drawing.ts'
import { extentOfShapes } from './drawing-shapes.ts'
import { identity, invert, type Matrix, multiply, type Rectangle, translate } from './matrix.ts'
import { transformed } from './outline.ts'
import type { PictureElement } from './picture-element.ts'
import { Undrawable } from './refusal.ts'

/** Throws Undrawable if the design stores a size that differs from that of the file by more than a pixel: the print would, too. */
export function assertSize({ width, height }: PictureElement, fileWidth: number, fileHeight: number): void {
  const differs = (stored: number | undefined, size: number) =>
    stored !== undefined && Math.abs(stored - size) > 1
  if (differs(width, fileWidth) || differs(height, fileHeight)) {
    throw new Undrawable(
      'picture',
      `The file measures ${Math.round(fileWidth)} × ${Math.round(fileHeight)} pixels, but the design was made with ${Math.round(width ?? fileWidth)} × ${Math.round(height ?? fileHeight)}.`,
    )
  }
}

/** The size of a page of a PDF in the design: the stored one, which must have the ratio of the page, or that of the page. @throws Undrawable */
export function pdfSize(
  element: PictureElement,
  { width, height }: { width: number; height: number },
): { width: number; height: number } {
  const stored = storedSize(element, { width, height })
  if (!stored) assertSize(element, width, height)
  return stored ?? { width, height }
}

/** The relative difference of two ratios up to which they count as the same. */
const maxDifference = 0.02

/** The size that the design stores, if it has the ratio of the area: other versions of the designer measured in other units. */
function storedSize(
  { width, height }: PictureElement,
  area: { width: number; height: number },
): { width: number; height: number } | undefined {
  if (!(width && height && area.width > 0 && area.height > 0)) return undefined
  const ratio = width / height / (area.width / area.height)
  return Math.abs(ratio - 1) <= maxDifference ? { width, height } : undefined
}

const round = (value: number) => Math.round(value * 100) / 100

/**
 * A single shape in the space of its outline, with the rectangle around it: fabric replaces the scale, turn and opacity of the shape
 * in the drawing by those of the element, and moves its clips into that space. Undefined for skewed shapes, whose skew remains.
 */
function untransformed(single: DrawnShape): { shape: DrawnShape; area: Rectangle } | undefined {
  const [a, b, c, d] = single.matrix
  const isSkewed = Math.abs(a * c + b * d) > 1e-6 * Math.abs(a * d - b * c)
  const inverse = invert(single.matrix)
  if (isSkewed || !inverse) return undefined
  const shape = { ...moved(single, inverse), matrix: identity, alpha: 1 }
  return { shape, area: extentOfShapes([shape]) }
}

/** The shape and its clips with a matrix applied. */
const moved = (shape: DrawnShape, by: Matrix): DrawnShape => ({
  ...shape,
  matrix: multiply(by, shape.matrix),
  clips: shape.clips.map((clip) => ({ ...clip, outline: transformed(clip.outline, by) })),
})

/** A drawing as the designer measured it; `note` is a sentence for the warnings. */
interface SizedDrawing {
  width: number
  height: number
  shapes: DrawnShape[]
  note?: string
}

/**
 * The drawing in the size that fabric.js gives it: that of its document, or, if it has a single shape, that of the shape. The size that
 * the design stores decides between the two.
 * @throws Undrawable if the design stores neither size
 */
export function sizedDrawing(element: PictureElement, drawing: Drawing): SizedDrawing {
  const { width, height, shapes } = drawing
  const [first] = shapes
  // A palette, for example, only defines colors.
  if (!first) return { width, height, shapes, note: 'The drawing shows nothing.' }
  const single = shapes.length === 1 ? sizedShape(element, first, drawing) : undefined
  if (single) return single
  if (width > 0 && height > 0) {
    assertSize(element, width, height)
    return { width, height, shapes }
  }
  // The document has no size.
  const area = extentOfShapes(shapes)
  assertSize(element, area.width, area.height)
  const atCorner = shapes.map((shape) => moved(shape, translate(-area.x, -area.y)))
  return { width: area.width, height: area.height, shapes: atCorner }
}

/**
 * A drawing of a single shape in the size of the shape, scaled to the stored size if that has the same ratio. Undefined if the design
 * was made with the size of the document.
 * @throws Undrawable for a skewed shape without a stored size, whose size on the stage is not known
 */
function sizedShape(
  element: PictureElement,
  single: DrawnShape,
  { width, height }: Drawing,
): SizedDrawing | undefined {
  const isStored = element.width !== undefined && element.height !== undefined
  const isStoredSize = (w: number, h: number) =>
    Math.abs((element.width ?? w) - w) <= 1 && Math.abs((element.height ?? h) - h) <= 1
  const plain = untransformed(single)
  if (!plain && isStored) return undefined
  if (!plain)
    throw new Undrawable(
      'drawing',
      'The size of a drawing of one skewed shape is not known. Save the drawing without transforms of the shape, and upload it again.',
    )
  const { area, shape } = plain
  /** The shape at the origin, scaled. */
  const scaled = (sx: number, sy: number) => [moved(shape, [sx, 0, 0, sy, -area.x * sx, -area.y * sy])]
  if (!isStored || isStoredSize(area.width, area.height))
    return { width: area.width, height: area.height, shapes: scaled(1, 1) }
  const stored = storedSize(element, area)
  if (!stored || (isStoredSize(width, height) && width > 0)) return undefined
  const measured = `${round(area.width)} × ${round(area.height)}`
  const note = `The drawing's shape measures ${measured}, but the design was made with ${round(stored.width)} × ${round(stored.height)}, which is printed.`
  return { ...stored, shapes: scaled(stored.width / area.width, stored.height / area.height), note }
}
