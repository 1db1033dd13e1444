// What an element paints around its own center, before it is placed: laid out text, a picture, the shapes of a drawing.
import { type Drawing, type DrawnShape, recolored, refilled } from './drawing.ts'
import { withFills } from './drawing-picture.ts'
import type { Materials } from './drawn-materials.ts'
import type { Element } from './element.ts'
import type { Common } from './element-common.ts'
import { blurOf, changeOf, isPointwise, recoloring } from './filter-steps.ts'
import { paintWith } from './ink.ts'
import { type Color, faded, type Mark, type ShapeMark, type Stroke } from './marks.ts'
import { type Matrix, multiply, scale } from './matrix.ts'
import { assertSize, pdfSize, sizedDrawing } from './natural-size.ts'
import { type Outline, rectangle, transformed } from './outline.ts'
import { tiledWith } from './pattern.ts'
import type { PrintedPdf } from './pdf-page-print.ts'
import type { SourcePicture } from './picture.ts'
import type { PictureElement } from './picture-element.ts'
import { maxChanged } from './picture-pixels.ts'
import { Undrawable } from './refusal.ts'
import { layText, type Painted } from './text.ts'
import type { TextElement } from './text-element.ts'

export interface Body {
  width: number
  height: number
  paint: Painted[]
  pixels?: number
  isCmyk?: boolean
  isRasterized?: boolean
  pdf?: PrintedPdf
  /** For the warnings. */
  note?: string
  /** Several shapes together, which fabric paints without a background. */
  isGroup?: boolean
}

export function bodyOf(element: Element, materials: Materials): Body {
  if (element.kind === 'text') return textBody(element, materials)
  const source = materials.source(element.source)
  if (source.kind === 'unusable') throw source.cause
  if (source.kind === 'pixels') return pictureBody(element, source.picture, materials)
  if (source.kind === 'pdf') return pdfBody(element, source.pages.get(element.page), materials)
  const { note } = source
  if (source.kind === 'vectors') {
    const body = drawingBody(element, source.drawing)
    const notes = [body.note, note].filter((each) => each !== undefined)
    return notes.length > 0 ? { ...body, note: notes.join(' ') } : body
  }
  const { width, height } = source
  assertSize(element, width, height)
  const { scaleX, scaleY } = element.placement
  const stretch = Math.max(Math.abs(scaleX), Math.abs(scaleY))
  const { fills, tint, filters } = element
  const id = JSON.stringify([element.source, stretch, fills, tint, filters])
  const svg = fills.length > 0 ? withFills(source.svg, fills) : source.svg
  // Single fills count more than one for all.
  const change = changeOf({ filters, tint: fills.length > 0 ? undefined : tint })
  const blur = blurOf(element, source)
  const key = materials.keep({ id, svg, width, height, stretch, change, blur })
  const mark: Mark = { kind: 'picture', picture: key, x: -width / 2, y: -height / 2, width, height }
  return {
    width,
    height,
    paint: framed(element, mark, width, height),
    isRasterized: true,
    ...(note !== undefined && { note }),
  }
}

function textBody(element: TextElement, materials: Materials): Body {
  const { pattern } = element
  const tiledIn =
    pattern === undefined
      ? undefined
      : (size: { width: number; height: number }) => tiledWith(size, pattern, materials)
  const laidOut = layText(element, materials.face, tiledIn)
  const isThin = pattern !== undefined && materials.face(element, element.size).bolder(1) > 0
  return isThin ? { ...laidOut, note: 'The pattern is printed in letters that are not bold.' } : laidOut
}

function pictureBody(element: PictureElement, picture: SourcePicture, materials: Materials): Body {
  const { crop } = element
  if (!crop) assertSize(element, picture.width, picture.height)
  const width = Math.min(crop?.width ?? picture.width, picture.width - (crop?.x ?? 0))
  const height = Math.min(crop?.height ?? picture.height, picture.height - (crop?.y ?? 0))
  if (!(width > 0 && height > 0))
    throw new Undrawable('picture', 'The cropped part lies outside of the picture.')
  const id = JSON.stringify([element.source, element.tint, element.filters])
  const { scaleX, scaleY } = element.placement
  if (!element.filters.every(isPointwise) && picture.width * picture.height > maxChanged) {
    const message = `A filter that needs every pixel is drawn on pictures of at most ${maxChanged / 1e6} megapixels.`
    throw new Undrawable('limit', message)
  }
  const key = materials.keep({
    id,
    source: picture,
    change: changeOf(element),
    isPointwise: element.filters.every(isPointwise),
    blur: blurOf(element, picture),
    stretch: Math.max(Math.abs(scaleX), Math.abs(scaleY)),
  })
  const [x, y] = [-width / 2 - (crop?.x ?? 0), -height / 2 - (crop?.y ?? 0)]
  const whole: Mark = { kind: 'picture', picture: key, x, y, width: picture.width, height: picture.height }
  const box = rectangle({ x: -width / 2, y: -height / 2, width, height })
  const mark: Mark = crop
    ? { kind: 'group', clips: [{ outline: box, rule: 'nonzero' }], marks: [whole] }
    : whole
  return {
    width,
    height,
    pixels: width,
    isCmyk: picture.isCmyk,
    paint: framed(element, mark, width, height),
  }
}

/** A page of a PDF: one pixel for each point, unless the design stores another size of the same ratio. */
function pdfBody(
  element: PictureElement,
  printed: PrintedPdf | Undrawable | undefined,
  materials: Materials,
): Body {
  if (printed === undefined) throw new Undrawable('limit', 'The design shows too many pages of the PDF.')
  if (printed instanceof Undrawable) throw printed
  const { crop, page, tint, filters, placement } = element
  const size = crop ? printed.page : pdfSize(element, printed.page)
  const width = Math.min(crop?.width ?? size.width, size.width - (crop?.x ?? 0))
  const height = Math.min(crop?.height ?? size.height, size.height - (crop?.y ?? 0))
  if (!(width > 0 && height > 0))
    throw new Undrawable('picture', 'The cropped part lies outside of the page of the PDF.')
  const stretch = Math.max(Math.abs(placement.scaleX), Math.abs(placement.scaleY))
  const key = materials.keep({
    id: JSON.stringify([element.source, page, size.width, stretch, tint, filters]),
    pdf: printed,
    width: size.width,
    height: size.height,
    stretch,
    change: changeOf({ filters, tint }),
    blur: blurOf(element, size),
  })
  const [x, y] = [-width / 2 - (crop?.x ?? 0), -height / 2 - (crop?.y ?? 0)]
  const whole: Mark = { kind: 'picture', picture: key, x, y, width: size.width, height: size.height }
  const box = rectangle({ x: -width / 2, y: -height / 2, width, height })
  const mark: Mark = crop
    ? { kind: 'group', clips: [{ outline: box, rule: 'nonzero' }], marks: [whole] }
    : whole
  return { width, height, pdf: printed, paint: framed(element, mark, width, height) }
}

/** The picture and its border, in their order. */
function framed(element: Common, mark: Mark, width: number, height: number): Painted[] {
  const inner = { mark, casts: true }
  const { stroke, paintFirst, shadow } = element
  const isOfStrokes = shadow?.isOfStrokes ?? false
  if (!stroke) return [inner]
  const outline = rectangle({ x: -width / 2, y: -height / 2, width, height })
  const frame = { mark: stroked(element, outline, strokeOf(element, width, height)), casts: isOfStrokes }
  return paintFirst === 'stroke' ? [frame, inner] : [inner, frame]
}

function strokeOf({ stroke, strokeWidth }: Common, width: number, height: number): Stroke | undefined {
  return stroke && { ...stroke, paint: paintWith(stroke.ink, width, height, strokeWidth) }
}

/** A uniform stroke is drawn around the scaled outline, outside of the scale. */
function stroked({ stroke, placement }: Common, outline: Outline, line: Stroke | undefined): Mark {
  const { scaleX, scaleY } = placement
  if (!stroke?.isUniform || scaleX === 0 || scaleY === 0)
    return { kind: 'shape', outline, rule: 'nonzero', stroke: line }
  const scaled = transformed(outline, scale(scaleX, scaleY))
  return {
    kind: 'group',
    matrix: scale(1 / scaleX, 1 / scaleY),
    marks: [{ kind: 'shape', outline: scaled, rule: 'nonzero', stroke: line }],
  }
}

function drawingBody(element: PictureElement, drawing: Drawing): Body {
  const change = element.filters.length > 0 ? recoloring(element) : undefined
  if (element.filters.length > 0 && !change)
    throw new Undrawable('feature', 'A filter that needs pixels cannot be drawn on a drawing.')
  const { width, height, note, ...sized } = sizedDrawing(element, drawing)
  const isOneForAll = element.fills.length === 0 && element.fill !== undefined && sized.shapes.length > 1
  const fills =
    element.fills.length > 0 || !element.fill ? element.fills : filledWith(sized.shapes, element.fill)
  const refilledShapes = refilled(sized.shapes, fills)
  const shapes = change ? recolored(refilledShapes, change) : refilledShapes
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...(isOneForAll
      ? ['The drawing has several shapes; each that is filled is printed in the one color.']
      : []),
    ...(change ? ['The filters are printed as other colors of the drawing.'] : []),
  ]
  const middle: Matrix = [1, 0, 0, 1, -width / 2, -height / 2]
  const isAlone = shapes.length === 1
  const line = isAlone ? strokeOf(element, width, height) : undefined
  const paint = shapes
    .filter(({ isHidden }) => !isHidden)
    .map((shape) => (line ? { ...shape, mark: { ...shape.mark, stroke: line } } : shape))
    .flatMap((shape) => shapePaint(shape, middle, !isAlone || element.shadow?.isOfStrokes === true))
  return { width, height, paint, isGroup: !isAlone, ...(notes.length > 0 && { note: notes.join(' ') }) }
}

/** A single shape is filled in any case. */
const filledWith = (shapes: readonly DrawnShape[], fill: Color) =>
  shapes.map(({ mark }) => (mark.fill || shapes.length === 1 ? fill : ('own' as const)))

/** Fill and stroke cast their shadows separately, as fabric.js paints a group; the stroke of a single shape casts none. */
function shapePaint(
  { mark, matrix, clips, alpha }: DrawnShape,
  middle: Matrix,
  strokeCasts: boolean,
): Painted[] {
  const placed = (part: ShapeMark): Mark => ({
    kind: 'group',
    matrix: multiply(middle, matrix),
    marks: [part],
  })
  if (clips.length > 0) {
    const moved = clips.map((clip) => ({ ...clip, outline: transformed(clip.outline, middle) }))
    return [{ mark: { kind: 'group', clips: moved, alpha, marks: [placed(mark)] }, casts: true }]
  }
  const { fill, stroke, ...form } = mark
  const line = stroke && { ...stroke, paint: faded(stroke.paint, alpha) }
  return [
    ...(fill ? [{ mark: placed({ ...form, fill: faded(fill, alpha) }), casts: true }] : []),
    ...(line ? [{ mark: placed({ ...form, stroke: line }), casts: strokeCasts }] : []),
  ]
}
