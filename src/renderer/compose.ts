// A scene becomes marks on the stage: each element laid out, placed, faded, clipped, with the shadow that it casts.
import { type Drawing, type DrawnShape, refilled } from './drawing.ts'
import { type ClipWish, type Element, type PictureElement, readElement, type TextElement } from './element.ts'
import type { Face } from './face.ts'
import { type Clip, faded, type Mark, type ShapeMark } from './marks.ts'
import { boundsOf, type Matrix, multiply, type Rectangle } from './matrix.ts'
import { assertSize, sizedDrawing } from './natural-size.ts'
import { type Outline, rectangle, transformed } from './outline.ts'
import { changeOf, type ReadyPicture, type SourcePicture } from './picture.ts'
import { matrixFor } from './placement.ts'
import { type Findings, shown, Undrawable } from './refusal.ts'
import type { Scene } from './scene.ts'
import { layText, type Painted, plainStroke } from './text.ts'
import type { Bag } from './values.ts'

/** A picture as it was read from its source. */
export type Source =
  | { kind: 'pixels'; picture: SourcePicture }
  | { kind: 'vectors'; drawing: Drawing }
  /** A drawing that can only be shown as a picture, at the size that the page needs. */
  | { kind: 'drawing'; svg: string; width: number; height: number }
  | { kind: 'unusable'; cause: Undrawable }

export interface Materials {
  face(element: TextElement): Face
  source(name: string): Source
  /** Keeps a picture and returns its key. */
  keep(picture: KeptPicture): string
}

/** A drawing that is shown as a picture: `stretch` pixels of the stage for each of its own. */
export interface RasterDrawing {
  id: string
  svg: string
  width: number
  height: number
  stretch: number
}

export type KeptPicture = ReadyPicture | RasterDrawing

/** The result of one element. */
export interface Placed {
  element: Element
  marks: Mark[]
  /** Around the element on the stage, before it is clipped. */
  area: Rectangle
  /** Pixels of the picture and of the stage along its width. */
  pixels?: { own: number; stage: number }
  isRasterized?: boolean
}

interface Body {
  width: number
  height: number
  paint: Painted[]
  pixels?: number
  isRasterized?: boolean
}

export function compose(
  scene: Scene,
  printingBox: Rectangle,
  materials: Materials,
  findings: Findings,
): Placed[] {
  return scene.elements.flatMap((element) => {
    const place = () => {
      const body = bodyOf(element, materials)
      const { placement, strokeWidth } = element
      const matrix = matrixFor(placement, {
        width: body.width + strokeWidth,
        height: body.height + strokeWidth,
      })
      const clip = element.clip && clipOf(element.clip, scene, printingBox, materials)
      const own = { x: -body.width / 2, y: -body.height / 2, width: body.width, height: body.height }
      const marks = onStage(element, body.paint, matrix, clip)
      const stage = body.width * Math.hypot(matrix[0], matrix[1])
      return {
        element,
        marks,
        area: boundsOf(matrix, own),
        ...(body.pixels !== undefined && { pixels: { own: body.pixels, stage } }),
        ...(body.isRasterized && { isRasterized: true }),
      }
    }
    return findings.try(scene.title, element.title, place) ?? []
  })
}

const maxBlurred = 300

/**
 * Without a clip each stroke of paint is faded and casts its shadow separately; clipped elements are painted first, then
 * faded as a whole, and its shadow falls beyond the clip.
 */
function onStage(
  { opacity, shadow, placement }: Element,
  paint: Painted[],
  matrix: Matrix,
  clip: Clip | undefined,
): Mark[] {
  const [sx, sy] = [Math.abs(placement.scaleX), Math.abs(placement.scaleY)]
  const cast = (marks: Mark[], alpha: number): Mark[] =>
    shadow && alpha > 0
      ? [
          {
            kind: 'shadow',
            color: { ...shadow.color, a: shadow.color.a * alpha },
            dx: shadow.dx * sx,
            dy: shadow.dy * sy,
            sigma: (shadow.blur * (sx + sy)) / 4,
            marks,
          },
        ]
      : []
  if (clip) {
    const body: Mark = { kind: 'group', matrix, marks: paint.map(({ mark }) => mark) }
    const clipped: Mark = { kind: 'group', clips: [clip], marks: [body] }
    return [...cast([clipped], opacity), { ...clipped, alpha: opacity }]
  }
  if (shadow && shadow.blur > 0 && paint.filter(({ casts }) => casts).length > maxBlurred) {
    throw new Undrawable('limit', `More than ${maxBlurred} parts cast a blurred shadow.`)
  }
  return paint.flatMap(({ mark, casts }) => {
    const whole: Mark = { kind: 'group', matrix, marks: [mark] }
    return [
      ...(casts ? cast([whole], opacity) : []),
      { kind: 'group', matrix, marks: [fadedMark(mark, opacity)] },
    ]
  })
}

function fadedMark(mark: Mark, alpha: number): Mark {
  if (alpha === 1) return mark
  if (mark.kind === 'picture') return { kind: 'group', alpha, marks: [mark] }
  if (mark.kind === 'group') return { ...mark, marks: mark.marks.map((each) => fadedMark(each, alpha)) }
  if (mark.kind === 'shadow') return mark
  const stroke = mark.stroke && { ...mark.stroke, paint: faded(mark.stroke.paint, alpha) }
  if (mark.kind === 'text')
    return { ...mark, fill: mark.fill && { ...mark.fill, a: mark.fill.a * alpha }, stroke }
  return { ...mark, fill: mark.fill && faded(mark.fill, alpha), stroke }
}

function bodyOf(element: Element, materials: Materials): Body {
  if (element.kind === 'text') return layText(element, materials.face(element))
  const source = materials.source(element.source)
  if (source.kind === 'unusable') throw source.cause
  if (source.kind === 'pixels') return pictureBody(element, source.picture, materials)
  if (source.kind === 'vectors') return drawingBody(element, source.drawing)
  if (element.fill || element.fills.length > 0 || element.filters.length > 0) {
    throw new Undrawable(
      'drawing',
      'A drawing with filters, masks, patterns or embedded pictures cannot be colored.',
    )
  }
  const { svg, width, height } = source
  assertSize(element, width, height)
  const { scaleX, scaleY } = element.placement
  const stretch = Math.max(Math.abs(scaleX), Math.abs(scaleY))
  const id = JSON.stringify([element.source, stretch])
  const key = materials.keep({ id, svg, width, height, stretch })
  const mark: Mark = { kind: 'picture', picture: key, x: -width / 2, y: -height / 2, width, height }
  return {
    width,
    height,
    paint: [{ mark, casts: true }, ...border(element, width, height)],
    isRasterized: true,
  }
}

function pictureBody(element: PictureElement, picture: SourcePicture, materials: Materials): Body {
  const { crop } = element
  if (element.tint && element.filters.length > 0) {
    throw new Undrawable('feature', 'A picture with both a color and a filter cannot be drawn.')
  }
  if (!crop) assertSize(element, picture.width, picture.height)
  const width = Math.min(crop?.width ?? picture.width, picture.width - (crop?.x ?? 0))
  const height = Math.min(crop?.height ?? picture.height, picture.height - (crop?.y ?? 0))
  if (!(width > 0 && height > 0))
    throw new Undrawable('picture', 'The cropped part lies outside of the picture.')
  const id = JSON.stringify([element.source, element.tint, element.filters])
  const key = materials.keep({ id, source: picture, change: changeOf(element) })
  const [x, y] = [-width / 2 - (crop?.x ?? 0), -height / 2 - (crop?.y ?? 0)]
  const whole: Mark = { kind: 'picture', picture: key, x, y, width: picture.width, height: picture.height }
  const box = rectangle({ x: -width / 2, y: -height / 2, width, height })
  const mark: Mark = crop
    ? { kind: 'group', clips: [{ outline: box, rule: 'nonzero' }], marks: [whole] }
    : whole
  return { width, height, pixels: width, paint: [{ mark, casts: true }, ...border(element, width, height)] }
}

function border({ stroke }: Element, width: number, height: number): Painted[] {
  if (!stroke) return []
  const outline = rectangle({ x: -width / 2, y: -height / 2, width, height })
  return [
    {
      mark: { kind: 'shape', outline, rule: 'nonzero', stroke: plainStroke(stroke.color, stroke.width) },
      casts: false,
    },
  ]
}

function drawingBody(element: PictureElement, drawing: Drawing): Body {
  if (element.filters.length > 0) throw new Undrawable('feature', 'A filter cannot be drawn on a drawing.')
  const { width, height, shapes } = sizedDrawing(element, drawing)
  const fills = element.fills.length > 0 ? element.fills : element.fill ? [element.fill] : []
  if (element.fills.length === 0 && element.fill && drawing.shapes.length > 1) {
    throw new Undrawable('feature', 'One color for a drawing of several shapes cannot be drawn.')
  }
  const middle: Matrix = [1, 0, 0, 1, -width / 2, -height / 2]
  const isAlone = shapes.length === 1
  const paint = refilled(shapes, fills)
    .filter(({ isHidden }) => !isHidden)
    .flatMap((shape) => shapePaint(shape, middle, isAlone))
  return { width, height, paint }
}

/** Fill and stroke cast their shadows separately, as fabric.js paints a group; the stroke of a single shape casts none. */
function shapePaint({ mark, matrix, clips, alpha }: DrawnShape, middle: Matrix, isAlone: boolean): Painted[] {
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
  return [
    ...(fill ? [{ mark: placed({ ...form, fill }), casts: true }] : []),
    ...(stroke ? [{ mark: placed({ ...form, stroke }), casts: !isAlone }] : []),
  ]
}

function clipOf(wish: ClipWish, scene: Scene, printingBox: Rectangle, materials: Materials): Clip {
  if (wish.of === 'printing box') return { outline: rectangle(printingBox), rule: 'nonzero' }
  if (wish.of === 'rectangle') return { outline: rectangle(wish, wish.radius), rule: 'nonzero' }
  const area = scene.areas.get(wish.title)
  if (area) return { outline: rectangle(area.box()), rule: 'nonzero' }
  const stored = scene.byTitle.get(wish.title)
  if (!stored) {
    const message = `The bounding box is ${shown(wish.title)}, which is neither a print area nor an element of the view.`
    throw new Undrawable('box', message)
  }
  return { outline: shapeOf(stored, materials, wish.title), rule: 'nonzero' }
}

/** The shape of a drawing; of others the rectangle. The clip of that element itself is ignored. */
function shapeOf(stored: Bag, materials: Materials, title: string): Outline {
  const element = readElement(stored)
  const { placement, strokeWidth } = element
  const body = bodyOf(element, materials)
  const matrix = matrixFor(placement, { width: body.width + strokeWidth, height: body.height + strokeWidth })
  const source = element.kind === 'picture' ? materials.source(element.source) : undefined
  if (element.kind === 'picture' && source?.kind === 'vectors') {
    const { width, height, shapes } = sizedDrawing(element, source.drawing)
    const middle = multiply(matrix, [1, 0, 0, 1, -width / 2, -height / 2])
    if (shapes.some(({ clips, mark, isHidden }) => isHidden || clips.length > 0 || mark.rule === 'evenodd')) {
      throw new Undrawable('box', `The shape of the element ${shown(title)} cannot clip.`)
    }
    return shapes.flatMap((shape) => transformed(shape.mark.outline, multiply(middle, shape.matrix)))
  }
  if (placement.angle % 90 !== 0)
    throw new Undrawable('box', `The element ${shown(title)} is turned and cannot clip.`)
  return rectangle(
    boundsOf(matrix, { x: -body.width / 2, y: -body.height / 2, width: body.width, height: body.height }),
  )
}
