// A scene becomes marks on the stage: each element laid out, placed, faded, clipped, with the shadow that it casts.
import { type Body, bodyOf } from './body.ts'
import type { Materials } from './drawn-materials.ts'
import { type Element, readElement } from './element.ts'
import type { Common, StoredClip } from './element-common.ts'
import { type Clip, faded, isFull, type Mark } from './marks.ts'
import { boundsOf, type Matrix, multiply, type Rectangle } from './matrix.ts'
import { sizedDrawing } from './natural-size.ts'
import { rectangle, transformed } from './outline.ts'
import type { PrintedPdf } from './pdf-page-print.ts'
import { type Extent, matrixFor } from './placement.ts'
import { type Findings, shown, Undrawable } from './refusal.ts'
import type { Scene } from './scene.ts'
import type { Painted } from './text.ts'
import { neonLayers } from './text-element.ts'
import { objectOf, type Properties } from './values.ts'

/** The result of one element. */
export interface Placed {
  element: Element
  marks: Mark[]
  /** Around the element on the stage, before it is clipped. */
  area: Rectangle
  /** Pixels of the picture and of the stage along its width. */
  pixels?: { own: number; stage: number }
  isRasterized?: boolean
  /** The page of a PDF that the element shows. */
  pdf?: PrintedPdf
  isCmyk?: boolean
  note?: string
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
      const matrix = matrixFor(element.placement, withStroke(element, body))
      const clip = element.clip && clipOf(element.clip, scene, { printingBox, matrix }, materials)
      const own = { x: -body.width / 2, y: -body.height / 2, width: body.width, height: body.height }
      const { blend } = element
      const paintOf = (each: Element) => {
        const own = each === element ? body : bodyOf(each, materials)
        const painted = onStage(each, withBackground(each, own), matrix, clip)
        if (!blend) return painted
        // fabric.js paints a drawing into its cache first, and blends that.
        const parts = element.kind === 'picture' ? [painted] : painted.map((mark) => [mark])
        return parts.map((marks): Mark => ({ kind: 'group', blend, marks }))
      }
      const layers = element.kind === 'text' && element.isNeon ? neonLayers(element) : [element]
      const marks = layers.flatMap(paintOf)
      if (isCastAtOnce(element, body.paint)) {
        const message = `More than ${maxBlurred} parts cast a blurred shadow, which is printed as the shadow of all of them together.`
        findings.warn({ code: 'feature', view: scene.title, element: element.title, message })
      }
      const stage = body.width * Math.hypot(matrix[0], matrix[1])
      return {
        element,
        marks,
        area: boundsOf(matrix, own),
        ...(body.pixels !== undefined && { pixels: { own: body.pixels, stage } }),
        ...(body.isRasterized && { isRasterized: true }),
        ...(body.isCmyk && { isCmyk: true }),
        ...(body.pdf && { pdf: body.pdf }),
        ...(body.note !== undefined && { note: body.note }),
      }
    }
    return findings.try(scene.title, element.title, place) ?? []
  })
}

const withStroke = ({ strokeWidth, isUniform }: Common, { width, height }: Body): Extent =>
  isUniform
    ? { width, height, uniform: strokeWidth }
    : { width: width + strokeWidth, height: height + strokeWidth }

/** The background takes the shadow from what is painted on it. */
function withBackground(
  { background, strokeWidth }: Common,
  { width, height, paint, isGroup }: Body,
): Painted[] {
  if (!background || isGroup) return paint
  const [w, h] = [width + strokeWidth, height + strokeWidth]
  const outline = rectangle({ x: -w / 2, y: -h / 2, width: w, height: h })
  const mark: Mark = { kind: 'shape', outline, rule: 'nonzero', fill: background }
  return [{ mark, casts: true }, ...paint.map((each) => ({ ...each, casts: false }))]
}

const maxBlurred = 300

const isCastAtOnce = ({ shadow }: Pick<Element, 'shadow'>, paint: readonly Painted[]): boolean =>
  shadow !== undefined && shadow.blur > 0 && paint.filter(({ casts }) => casts).length > maxBlurred

/**
 * Without a clip each stroke of paint is faded and casts its shadow separately; clipped elements, and those with a shadow
 * whose stroke comes first, are painted first, then faded as a whole, and its shadow falls beyond the clip.
 */
function onStage(
  { opacity, shadow, placement, paintFirst, stroke }: Element,
  paint: Painted[],
  matrix: Matrix,
  clip: Clip | undefined,
): Mark[] {
  const [sx, sy] = shadow?.isUniform ? [1, 1] : [Math.abs(placement.scaleX), Math.abs(placement.scaleY)]
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
  if (
    clip ||
    (shadow && !shadow.isOfStrokes && stroke && paintFirst === 'stroke') ||
    isCastAtOnce({ shadow }, paint)
  ) {
    const body: Mark = { kind: 'group', matrix, marks: paint.map(({ mark }) => mark) }
    const clipped: Mark & { kind: 'group' } = { kind: 'group', clips: clip ? [clip] : [], marks: [body] }
    return [...cast([clipped], opacity), { ...clipped, alpha: opacity }]
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
  const isWhole = mark.kind === 'picture' || (mark.kind === 'group' && mark.isWhole)
  if (isWhole) return { kind: 'group', alpha, marks: [mark] }
  if (mark.kind === 'group') return { ...mark, marks: mark.marks.map((each) => fadedMark(each, alpha)) }
  if (mark.kind === 'shadow') return mark
  const stroke = mark.stroke && { ...mark.stroke, paint: faded(mark.stroke.paint, alpha) }
  return { ...mark, fill: mark.fill && faded(mark.fill, alpha), stroke }
}

function clipOf(
  clip: StoredClip,
  scene: Scene,
  { printingBox, matrix }: { printingBox: Rectangle; matrix: Matrix },
  materials: Materials,
): Clip {
  if (clip.of === 'printing box') return { outline: rectangle(printingBox), rule: 'nonzero' }
  if (clip.of === 'rectangle') return { outline: rectangle(clip, clip.radius), rule: 'nonzero' }
  if (clip.of === 'path')
    return { rule: clip.rule, outline: clip.isAbsolute ? clip.outline : transformed(clip.outline, matrix) }
  const area = scene.areas.get(clip.title)
  if (area) return { outline: rectangle(area.box()), rule: 'nonzero' }
  const stored = scene.byTitle.get(clip.title)
  if (!stored) throw new Error('A clip refers to an element that the view does not have.')
  return shapeOf(stored, materials, clip.title)
}

/** The shape of a drawing; of others the rectangle. The clip of that element itself is ignored. */
function shapeOf(stored: Properties, materials: Materials, title: string): Clip {
  const element = readElement(stored)
  const body = bodyOf(element, materials)
  const matrix = matrixFor(element.placement, withStroke(element, body))
  const source = element.kind === 'picture' ? materials.source(element.source) : undefined
  if (element.kind === 'picture' && source?.kind === 'vectors') {
    const { width, height, shapes } = sizedDrawing(element, source.drawing)
    const middle = multiply(matrix, [1, 0, 0, 1, -width / 2, -height / 2])
    const [first] = shapes
    const isEvenOdd = shapes.some(({ mark }) => mark.rule === 'evenodd')
    // Of several shapes, what they paint is what is seen; a single one clips by its outline.
    const isPainted = shapes.every(
      ({ mark, alpha }) => !mark.stroke && !isEvenOdd && alpha === 1 && isFull(mark.fill),
    )
    const isPlain = shapes.every(({ clips, isHidden }) => !isHidden && clips.length === 0)
    if (!isPlain || (shapes.length > 1 && !isPainted)) {
      throw new Undrawable('box', `The shape of the element ${shown(title)} cannot clip.`)
    }
    const outline = shapes.flatMap((shape) => transformed(shape.mark.outline, multiply(middle, shape.matrix)))
    return { outline, rule: first?.mark.rule ?? 'nonzero' }
  }
  const own = { x: -body.width / 2, y: -body.height / 2, width: body.width, height: body.height }
  return { outline: rectangle(boundsOf(matrix, own)), rule: 'nonzero' }
}

/** The shapes of a mask. @throws Undrawable for a mask that is not a drawing of shapes */
export function maskClip(mask: Properties, materials: Materials): Clip {
  const { title } = readElement(mask)
  const source = materials.source(String(mask.source))
  if (source.kind === 'unusable') throw source.cause
  if (source.kind !== 'vectors')
    throw new Undrawable(
      'feature',
      `The property ${title} is not a drawing of plain shapes, and cannot be drawn.`,
    )
  const { shapes } = source.drawing
  // fabric keeps half of the stroke's width, which is 1 by default, between the origin and a single shape.
  const strokeWidth = shapes.length === 1 ? (shapes[0]?.mark.stroke?.width ?? 1) : 0
  return shapeOf({ ...mask, parameters: { ...objectOf(mask.parameters), strokeWidth } }, materials, title)
}
