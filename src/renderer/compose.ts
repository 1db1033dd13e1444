// Turns a scene into marks on the stage: it places, fades and clips each element, and adds the shadow that it casts.
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
import { type Findings, quoted, Undrawable } from './refusal.ts'
import type { Scene } from './scene.ts'
import type { Painted } from './text.ts'
import { neonLayers } from './text-element.ts'
import { objectOf, type Properties } from './values.ts'

/** An element on the stage. */
export interface Placed {
  element: Element
  /** What it paints, in the space of the stage. */
  marks: Mark[]
  /** The rectangle around the element on the stage, before it is clipped. */
  area: Rectangle
  /** Of a picture: pixels of the file and of the stage along its width. */
  pixels?: { file: number; stage: number }
  /** A drawing that is printed as a picture. */
  isRasterized?: boolean
  /** The page of a PDF that the element shows. */
  pdf?: PrintedPdf
  /** The picture is stored in CMYK colors. */
  isCmyk?: boolean
  /** A sentence for the warnings. */
  note?: string
}

/**
 * Places all elements of a scene, from bottom to top. An element that cannot be drawn becomes a refusal and is left out.
 * @param printingBox the rectangle of the stage to which elements may be confined
 */
export function compose(
  scene: Scene,
  printingBox: Rectangle,
  materials: Materials,
  findings: Findings,
): Placed[] {
  return scene.elements.flatMap((element) => {
    const place = () => placedElement(element, scene, { printingBox, materials, findings })
    return findings.try(scene.title, element.title, place) ?? []
  })
}

interface Surroundings {
  printingBox: Rectangle
  materials: Materials
  findings: Findings
}

function placedElement(
  element: Element,
  scene: Scene,
  { printingBox, materials, findings }: Surroundings,
): Placed {
  const body = bodyOf(element, materials)
  const matrix = matrixFor(element.placement, extentWithStroke(element, body))
  const clip = element.clip && clipOf(element.clip, scene, { printingBox, matrix }, materials)
  const layers = element.kind === 'text' && element.isNeon ? neonLayers(element) : [element]
  const marks = layers.flatMap((layer) => {
    const layerBody = layer === element ? body : bodyOf(layer, materials)
    return blended(element, onStage(layer, withBackground(layer, layerBody), matrix, clip))
  })
  if (isCastAtOnce(element, body.paint)) {
    const message = `More than ${maxBlurred} parts cast a blurred shadow, which is printed as the shadow of all of them together.`
    findings.warn({ code: 'feature', view: scene.title, element: element.title, message })
  }
  const stageWidth = body.width * Math.hypot(matrix[0], matrix[1])
  return {
    element,
    marks,
    area: boundsOf(matrix, centeredBox(body)),
    ...(body.pixels !== undefined && { pixels: { file: body.pixels, stage: stageWidth } }),
    ...(body.isRasterized && { isRasterized: true }),
    ...(body.isCmyk && { isCmyk: true }),
    ...(body.pdf && { pdf: body.pdf }),
    ...(body.note !== undefined && { note: body.note }),
  }
}

/** The marks in groups that are blended with what is below them. fabric.js paints a picture into its cache first, and blends that. */
function blended({ blend, kind }: Element, marks: Mark[]): Mark[] {
  if (!blend) return marks
  const parts = kind === 'picture' ? [marks] : marks.map((mark) => [mark])
  return parts.map((part): Mark => ({ kind: 'group', blend, marks: part }))
}

const centeredBox = ({ width, height }: Body): Rectangle => ({
  x: -width / 2,
  y: -height / 2,
  width,
  height,
})

/** The size by which an element is placed, which includes its stroke. */
const extentWithStroke = ({ strokeWidth, isUniform }: Common, { width, height }: Body): Extent =>
  isUniform
    ? { width, height, uniform: strokeWidth }
    : { width: width + strokeWidth, height: height + strokeWidth }

/** The paint of an element on its background. The background casts the shadow then, not what is painted on it. */
function withBackground(
  { background, strokeWidth }: Common,
  { width, height, paint, isGroup }: Body,
): Painted[] {
  if (!background || isGroup) return paint
  const [w, h] = [width + strokeWidth, height + strokeWidth]
  const outline = rectangle({ x: -w / 2, y: -h / 2, width: w, height: h })
  const mark: Mark = { kind: 'shape', outline, rule: 'nonzero', fill: background }
  return [{ mark, casts: true }, ...paint.map((painted) => ({ ...painted, casts: false }))]
}

/** Blurred shadows of one element, each of which is drawn as a picture. */
const maxBlurred = 300

/** Whether the shadow is drawn once for the whole element, because too many of its parts cast one. */
const isCastAtOnce = ({ shadow }: Pick<Element, 'shadow'>, paint: readonly Painted[]): boolean =>
  shadow !== undefined && shadow.blur > 0 && paint.filter(({ casts }) => casts).length > maxBlurred

/**
 * The marks of an element on the stage, faded by its opacity, with its shadow. As in fabric.js, each painted part is faded and casts
 * its shadow separately. An element is painted first and then faded as a whole, if it has a clip, if only the fill casts a shadow over a
 * stroke painted first, or if too many parts cast one (`isCastAtOnce`). The shadow falls beyond its clip.
 */
function onStage(element: Element, paint: Painted[], matrix: Matrix, clip: Clip | undefined): Mark[] {
  const { opacity, shadow, paintFirst, stroke } = element
  const isFadedAsWhole =
    clip !== undefined ||
    (shadow && !shadow.isOfStrokes && stroke && paintFirst === 'stroke') ||
    isCastAtOnce({ shadow }, paint)
  if (isFadedAsWhole) {
    const body: Mark = { kind: 'group', matrix, marks: paint.map(({ mark }) => mark) }
    const clipped: Mark & { kind: 'group' } = { kind: 'group', clips: clip ? [clip] : [], marks: [body] }
    return [...shadowsOf(element, clipped), { ...clipped, alpha: opacity }]
  }
  return paint.flatMap(({ mark, casts }): Mark[] => {
    const caster: Mark = { kind: 'group', matrix, marks: [mark] }
    return [
      ...(casts ? shadowsOf(element, caster) : []),
      { kind: 'group', matrix, marks: [fadedMark(mark, opacity)] },
    ]
  })
}

/** The shadow that a mark of the element casts; empty if it casts none. Its blur is twice a standard deviation (fabric 5.3 `_setShadow`). */
function shadowsOf({ shadow, opacity, placement }: Element, caster: Mark): Mark[] {
  if (!shadow || opacity <= 0) return []
  const [sx, sy] = shadow.isUniform ? [1, 1] : [Math.abs(placement.scaleX), Math.abs(placement.scaleY)]
  const color = { ...shadow.color, a: shadow.color.a * opacity }
  const sigma = (shadow.blur * (sx + sy)) / 4
  return [{ kind: 'shadow', color, dx: shadow.dx * sx, dy: shadow.dy * sy, sigma, marks: [caster] }]
}

/** The mark with its colors faded; a picture, and a group that is one, as a whole. */
function fadedMark(mark: Mark, alpha: number): Mark {
  if (alpha === 1) return mark
  const isWhole = mark.kind === 'picture' || (mark.kind === 'group' && mark.isWhole)
  if (isWhole) return { kind: 'group', alpha, marks: [mark] }
  if (mark.kind === 'group') return { ...mark, marks: mark.marks.map((part) => fadedMark(part, alpha)) }
  if (mark.kind === 'shadow') return mark
  const stroke = mark.stroke && { ...mark.stroke, paint: faded(mark.stroke.paint, alpha) }
  return { ...mark, fill: mark.fill && faded(mark.fill, alpha), stroke }
}

/** The clip in the space of the stage. @param place.matrix from the element to the stage @throws Undrawable */
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

/** The clip by another element: by the shapes of a drawing, else by the rectangle around it. Its own clip is ignored. */
function shapeOf(stored: Properties, materials: Materials, title: string): Clip {
  const element = readElement(stored)
  const body = bodyOf(element, materials)
  const matrix = matrixFor(element.placement, extentWithStroke(element, body))
  const source = element.kind === 'picture' ? materials.source(element.source) : undefined
  if (element.kind !== 'picture' || source?.kind !== 'vectors')
    return { outline: rectangle(boundsOf(matrix, centeredBox(body))), rule: 'nonzero' }
  const { width, height, shapes } = sizedDrawing(element, source.drawing)
  const toStage = multiply(matrix, [1, 0, 0, 1, -width / 2, -height / 2])
  const [first] = shapes
  const isEvenOdd = shapes.some(({ mark }) => mark.rule === 'evenodd')
  // Several shapes clip by what they paint, so each must be painted completely; a single one clips by its outline.
  const areOpaque = shapes.every(
    ({ mark, alpha }) => !mark.stroke && !isEvenOdd && alpha === 1 && isFull(mark.fill),
  )
  const arePlain = shapes.every(({ clips, isHidden }) => !isHidden && clips.length === 0)
  if (!arePlain || (shapes.length > 1 && !areOpaque)) {
    throw new Undrawable('box', `The shape of the element ${quoted(title)} cannot clip.`)
  }
  const outline = shapes.flatMap((shape) => transformed(shape.mark.outline, multiply(toStage, shape.matrix)))
  return { outline, rule: first?.mark.rule ?? 'nonzero' }
}

/** The clip by a mask of the view, an element of the stage. @throws Undrawable for a mask that is not a drawing of shapes */
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
