// Turns an element into the marks that it paints around its own center (laid out text, a picture, a page of a PDF, the shapes of a
// drawing), and finds its place on the stage. compose.ts and clip.ts use both.
import type { Drawing, DrawnShape } from './drawing.ts'
import { withFills } from './drawing-picture.ts'
import { recolored, refilled } from './drawing-shapes.ts'
import type { Materials, Source } from './drawn-materials.ts'
import type { Element } from './element.ts'
import type { Common } from './element-common.ts'
import { blurOf, changeOf, isPointwise, recoloring } from './filter-steps.ts'
import { paintWith } from './ink.ts'
import { type Color, faded, type Mark, type ShapeMark, type Stroke } from './marks.ts'
import { boundsOf, type Matrix, multiply, type Rectangle, scale } from './matrix.ts'
import { assertSize, pdfSize, sizedDrawing } from './natural-size.ts'
import { type Outline, rectangle, transformed } from './outline.ts'
import { tiledWith } from './pattern.ts'
import type { PrintedPdf } from './pdf-page-print.ts'
import type { SourcePicture } from './picture.ts'
import type { PictureElement } from './picture-element.ts'
import { maxChanged } from './picture-pixels.ts'
import { type Extent, matrixFor } from './placement.ts'
import { Undrawable } from './refusal.ts'
import { layText, type Painted } from './text.ts'
import type { TextElement } from './text-element.ts'

/** An element around its center, in its own pixels, before it is scaled. */
export interface Body {
  width: number
  height: number
  /** The marks in the order in which they are painted. */
  paint: Painted[]
  /** How many pixels of a picture are shown along the width. */
  pixels?: number
  /** The picture is stored in CMYK colors. */
  isCmyk?: boolean
  /** A drawing that is printed as a picture. */
  isRasterized?: boolean
  /** The page of a customer's PDF that is shown. */
  pdf?: PrintedPdf
  /** A sentence for the warnings. */
  note?: string
  /** A drawing of several shapes, which fabric paints without a background. */
  isGroup?: boolean
}

interface Size {
  width: number
  height: number
}

/** The body of any element. @throws Undrawable if the element cannot be printed as the designer shows it */
export function bodyOf(element: Element, materials: Materials): Body {
  if (element.kind === 'text') return textBody(element, materials)
  const source = materials.source(element.source)
  if (source.kind === 'unusable') throw source.cause
  if (source.kind === 'pixels') return pictureBody(element, source.picture, materials)
  if (source.kind === 'pdf') return pdfBody(element, source.pages.get(element.page), materials)
  const body =
    source.kind === 'vectors'
      ? drawingBody(element, source.drawing)
      : rasterizedBody(element, source, materials)
  const notes = [body.note, source.note].filter((note) => note !== undefined)
  return notes.length > 0 ? { ...body, note: notes.join(' ') } : body
}

/**
 * The body of an element, the matrix from it to the stage, and the rectangle around it on the stage, without its stroke and shadow.
 * @throws Undrawable as `bodyOf`
 */
export function placedBody(
  element: Element,
  materials: Materials,
): { body: Body; matrix: Matrix; area: Rectangle } {
  const body = bodyOf(element, materials)
  const { width, height } = body
  const matrix = matrixFor(element.placement, extentWithStroke(element, body))
  return { body, matrix, area: boundsOf(matrix, { x: -width / 2, y: -height / 2, width, height }) }
}

/** The size by which an element is placed, which includes its stroke. */
const extentWithStroke = ({ strokeWidth, isUniform }: Common, { width, height }: Size): Extent =>
  isUniform
    ? { width, height, uniformStroke: strokeWidth }
    : { width: width + strokeWidth, height: height + strokeWidth }

/** A drawing that is printed as a picture, because it has features that are not drawn as vectors. */
function rasterizedBody(
  element: PictureElement,
  { svg, width, height }: Extract<Source, { kind: 'drawing' }>,
  materials: Materials,
): Body {
  assertSize(element, width, height)
  const { fills, tint, filters } = element
  const stretch = stretchOf(element)
  const key = materials.keep({
    id: JSON.stringify([element.source, stretch, fills, tint, filters]),
    svg: fills.length > 0 ? withFills(svg, fills) : svg,
    width,
    height,
    stretch,
    // Fills of single shapes take precedence over one color for all.
    change: changeOf({ filters, tint: fills.length > 0 ? undefined : tint }),
    blur: blurOf(element, { width, height }),
  })
  const mark: Mark = { kind: 'picture', picture: key, x: -width / 2, y: -height / 2, width, height }
  return { width, height, paint: framed(element, mark, { width, height }), isRasterized: true }
}

/** Pixels of the stage for each pixel of the element, along the side that is enlarged more. */
const stretchOf = ({ placement: { scaleX, scaleY } }: Element): number =>
  Math.max(Math.abs(scaleX), Math.abs(scaleY))

function textBody(element: TextElement, materials: Materials): Body {
  const { pattern } = element
  const tiles = pattern === undefined ? undefined : (size: Size) => tiledWith(size, pattern, materials)
  const laidOut = layText(element, materials.face, tiles)
  // Words with a pattern are drawn without the stroke that makes a face bold.
  const lacksBold = pattern !== undefined && materials.face(element, element.size).bolder(1) > 0
  return lacksBold ? { ...laidOut, note: 'The pattern is printed in letters that are not bold.' } : laidOut
}

function pictureBody(element: PictureElement, picture: SourcePicture, materials: Materials): Body {
  if (!element.crop) assertSize(element, picture.width, picture.height)
  const visible = visibleSize(element, picture)
  if (!visible) throw new Undrawable('picture', 'The cropped part lies outside of the picture.')
  const isReducible = element.filters.every(isPointwise)
  if (!isReducible && picture.width * picture.height > maxChanged) {
    const message = `A filter that needs every pixel is drawn on pictures of at most ${maxChanged / 1e6} megapixels.`
    throw new Undrawable('limit', message)
  }
  const key = materials.keep({
    id: JSON.stringify([element.source, element.tint, element.filters]),
    source: picture,
    change: changeOf(element),
    isPointwise: isReducible,
    blur: blurOf(element, picture),
    stretch: stretchOf(element),
  })
  const paint = framed(element, pictureMark(element, { key, size: picture, visible }), visible)
  return { ...visible, pixels: visible.width, isCmyk: picture.isCmyk, paint }
}

/** A page of a PDF: one pixel for each point, unless the design stores another size of the same ratio. */
function pdfBody(
  element: PictureElement,
  printed: PrintedPdf | Undrawable | undefined,
  materials: Materials,
): Body {
  if (printed === undefined) throw new Undrawable('limit', 'The design shows too many pages of the PDF.')
  if (printed instanceof Undrawable) throw printed
  const { crop, page, tint, filters } = element
  const size = crop ? printed.page : pdfSize(element, printed.page)
  const visible = visibleSize(element, size)
  if (!visible) throw new Undrawable('picture', 'The cropped part lies outside of the page of the PDF.')
  const stretch = stretchOf(element)
  const key = materials.keep({
    id: JSON.stringify([element.source, page, size.width, stretch, tint, filters]),
    pdf: printed,
    width: size.width,
    height: size.height,
    stretch,
    change: changeOf({ filters, tint }),
    blur: blurOf(element, size),
  })
  const paint = framed(element, pictureMark(element, { key, size, visible }), visible)
  return { ...visible, pdf: printed, paint }
}

/** The size of the part that the element's crop shows of a picture; undefined if it shows nothing. */
function visibleSize({ crop }: PictureElement, size: Size): Size | undefined {
  const width = Math.min(crop?.width ?? size.width, size.width - (crop?.x ?? 0))
  const height = Math.min(crop?.height ?? size.height, size.height - (crop?.y ?? 0))
  return width > 0 && height > 0 ? { width, height } : undefined
}

/** The picture, clipped to the part that the element's crop shows, whose center is the element's. */
function pictureMark(
  { crop }: PictureElement,
  { key, size, visible }: { key: string; size: Size; visible: Size },
): Mark {
  const { width, height } = visible
  const [x, y] = [-width / 2 - (crop?.x ?? 0), -height / 2 - (crop?.y ?? 0)]
  const picture: Mark = { kind: 'picture', picture: key, x, y, width: size.width, height: size.height }
  if (!crop) return picture
  const box = rectangle({ x: -width / 2, y: -height / 2, width, height })
  return { kind: 'group', clips: [{ outline: box, rule: 'nonzero' }], marks: [picture] }
}

/** The picture and its border, in the order in which they are painted. */
function framed(element: Common, picture: Mark, { width, height }: Size): Painted[] {
  const inner = { mark: picture, casts: true }
  const { stroke, paintFirst, shadow } = element
  if (!stroke) return [inner]
  const outline = rectangle({ x: -width / 2, y: -height / 2, width, height })
  const frame = {
    mark: stroked(element, outline, strokeOf(element, { width, height })),
    casts: shadow?.isOfStrokes ?? false,
  }
  return paintFirst === 'stroke' ? [frame, inner] : [inner, frame]
}

/** The element's stroke with its paint measured by the size; undefined if it has none. */
function strokeOf({ stroke, strokeWidth }: Common, size: Size): Stroke | undefined {
  return stroke && { ...stroke, paint: paintWith(stroke.ink, size, strokeWidth) }
}

/** A stroked outline. A uniform stroke is drawn around the scaled outline and is not scaled itself. */
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
  const hasOneFill = element.fills.length === 0 && element.fill !== undefined
  const fills = hasOneFill ? filledWith(sized.shapes, element.fill) : element.fills
  const filled = refilled(sized.shapes, fills)
  const shapes = change ? recolored(filled, change) : filled
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...(hasOneFill && shapes.length > 1
      ? ['The drawing has several shapes; each that is filled is printed in the one color.']
      : []),
    ...(change ? ['The filters are printed as other colors of the drawing.'] : []),
  ]
  const isAlone = shapes.length === 1
  // The element's stroke replaces that of a single shape.
  const line = isAlone ? strokeOf(element, { width, height }) : undefined
  const options = {
    toCenter: [1, 0, 0, 1, -width / 2, -height / 2] satisfies Matrix,
    doesStrokeCast: !isAlone || element.shadow?.isOfStrokes === true,
  }
  const paint = shapes
    .filter(({ isHidden }) => !isHidden)
    .map((shape) => (line ? { ...shape, mark: { ...shape.mark, stroke: line } } : shape))
    .flatMap((shape) => shapePaint(shape, options))
  return { width, height, paint, isGroup: !isAlone, ...(notes.length > 0 && { note: notes.join(' ') }) }
}

/** The fill for each shape that has one; a single shape gets it in any case. */
const filledWith = (shapes: readonly DrawnShape[], fill: Color | undefined) =>
  shapes.map(({ mark }) => (mark.fill || shapes.length === 1 ? fill : ('own' as const)))

/** The fill and the stroke of a shape as separate marks, each of which casts its own shadow, as fabric.js paints a group. */
function shapePaint(
  { mark, matrix, clips, alpha }: DrawnShape,
  { toCenter, doesStrokeCast }: { toCenter: Matrix; doesStrokeCast: boolean },
): Painted[] {
  const placed = (part: ShapeMark): Mark => ({
    kind: 'group',
    matrix: multiply(toCenter, matrix),
    marks: [part],
  })
  if (clips.length > 0) {
    const moved = clips.map((clip) => ({ ...clip, outline: transformed(clip.outline, toCenter) }))
    return [{ mark: { kind: 'group', clips: moved, alpha, marks: [placed(mark)] }, casts: true }]
  }
  const { fill, stroke, ...form } = mark
  const line = stroke && { ...stroke, paint: faded(stroke.paint, alpha) }
  return [
    ...(fill ? [{ mark: placed({ ...form, fill: faded(fill, alpha) }), casts: true }] : []),
    ...(line ? [{ mark: placed({ ...form, stroke: line }), casts: doesStrokeCast }] : []),
  ]
}
