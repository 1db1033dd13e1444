// Turns a scene into marks on the stage: it places, fades and clips each element, and adds the shadow that it casts.
import { type Body, bodyOf, placedBody } from './body.ts'
import { clipOnStage } from './clip.ts'
import type { Materials } from './drawn-materials.ts'
import type { Element } from './element.ts'
import type { Common } from './element-common.ts'
import { type Clip, faded, type GroupMark, type Mark } from './marks.ts'
import type { Matrix, Rectangle } from './matrix.ts'
import { rectangle } from './outline.ts'
import type { PrintedPdf } from './pdf-page-print.ts'
import type { Findings } from './refusal.ts'
import type { Scene } from './scene.ts'
import type { Painted } from './text.ts'
import { neonLayers } from './text-element.ts'

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
  const { body, matrix, area } = placedBody(element, materials)
  const clip = element.clip && clipOnStage(element.clip, scene, { printingBox, matrix }, materials)
  const elements = element.kind === 'text' && element.isNeon ? neonLayers(element) : [element]
  const layers = elements.map((layer) => {
    const layerBody = layer === element ? body : bodyOf(layer, materials)
    return { layer, paint: withBackground(layer, layerBody) }
  })
  const marks = layers.flatMap(({ layer, paint }) => blended(element, onStage(layer, paint, matrix, clip)))
  if (layers.some(({ layer, paint }) => isCastAtOnce(layer, paint))) {
    const message = `More than ${maxBlurred} parts cast a blurred shadow, which is printed as the shadow of all of them together.`
    findings.warn({ code: 'feature', view: scene.title, element: element.title, message })
  }
  const stageWidth = body.width * Math.hypot(matrix[0], matrix[1])
  return {
    element,
    marks,
    area,
    ...(body.pixels !== undefined && { pixels: { file: body.pixels, stage: stageWidth } }),
    ...(body.isRasterized && { isRasterized: true }),
    ...(body.isCmyk && { isCmyk: true }),
    ...(body.pdf && { pdf: body.pdf }),
    ...(body.note !== undefined && { note: body.note }),
  }
}

/** The marks in groups that are blended with what is below them: each by itself, those of a picture together, as fabric.js blends them. */
function blended({ blend, kind }: Element, marks: Mark[]): Mark[] {
  if (!blend) return marks
  const parts = kind === 'picture' ? [marks] : marks.map((mark) => [mark])
  return parts.map((part): Mark => ({ kind: 'group', blend, marks: part }))
}

/** The paint of an element on its background, which alone casts the shadow then. A drawing of several shapes has no background in fabric. */
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

/** Blurred shadows of one element: each is drawn as a picture, so that more would take too long. */
const maxBlurred = 300

/** Whether the element casts one shadow as a whole, because too many of its parts would cast a blurred one. */
const isCastAtOnce = ({ shadow }: Pick<Element, 'shadow'>, paint: readonly Painted[]): boolean =>
  shadow !== undefined && shadow.blur > 0 && paint.filter(({ casts }) => casts).length > maxBlurred

/**
 * The marks of an element on the stage, faded by its opacity, with its shadow. As in fabric.js, each painted part is faded and casts
 * its shadow separately. In three cases the element is painted first, and then casts one shadow and fades as a whole: with a clip, which
 * fabric applies to the painted element; with a shadow of fills below which the stroke lies; and with too many blurred shadows.
 */
function onStage(element: Element, paint: Painted[], matrix: Matrix, clip: Clip | undefined): Mark[] {
  const { opacity, shadow, paintFirst, stroke } = element
  const isClipped = clip !== undefined
  const castsOverStroke = shadow && !shadow.isOfStrokes && stroke && paintFirst === 'stroke'
  if (isClipped || castsOverStroke || isCastAtOnce(element, paint)) {
    const body: Mark = { kind: 'group', matrix, marks: paint.map(({ mark }) => mark) }
    const clipped: GroupMark = { kind: 'group', clips: clip ? [clip] : [], marks: [body] }
    // The clip cuts off what casts the shadow, not the shadow.
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

/** The shadow that a mark of the element casts; empty if it casts none. The stored blur is twice the standard deviation (fabric 5.3 `_setShadow`). */
function shadowsOf({ shadow, opacity, placement }: Element, caster: Mark): Mark[] {
  if (!shadow || opacity <= 0) return []
  const [sx, sy] = shadow.isUniform ? [1, 1] : [Math.abs(placement.scaleX), Math.abs(placement.scaleY)]
  const color = { ...shadow.color, a: shadow.color.a * opacity }
  const sigma = (shadow.blur * (sx + sy)) / 4
  return [{ kind: 'shadow', color, dx: shadow.dx * sx, dy: shadow.dy * sy, sigma, marks: [caster] }]
}

/** The mark with its colors faded; a picture or a drawing of an emoji (`isWhole`) as a whole. */
function fadedMark(mark: Mark, alpha: number): Mark {
  if (alpha === 1) return mark
  const isWhole = mark.kind === 'picture' || (mark.kind === 'group' && mark.isWhole)
  if (isWhole) return { kind: 'group', alpha, marks: [mark] }
  if (mark.kind === 'group') return { ...mark, marks: mark.marks.map((part) => fadedMark(part, alpha)) }
  if (mark.kind === 'shadow') return mark
  const stroke = mark.stroke && { ...mark.stroke, paint: faded(mark.stroke.paint, alpha) }
  return { ...mark, fill: mark.fill && faded(mark.fill, alpha), stroke }
}
