// Finds what a clip or a mask of a design shows: an outline in the space of the stage. The readers of stored properties
// (element-common.ts, clip-path.ts) know clips only as designs name them.
import { placedBody } from './body.ts'
import type { Materials } from './drawn-materials.ts'
import { readElement } from './element.ts'
import type { StoredClip } from './element-common.ts'
import { type Clip, isFull } from './marks.ts'
import { type Matrix, multiply, type Rectangle } from './matrix.ts'
import { sizedDrawing } from './natural-size.ts'
import { rectangle, transformed } from './outline.ts'
import { quoted, Undrawable } from './refusal.ts'
import type { Scene } from './scene.ts'
import { objectOf, type Properties } from './values.ts'

/**
 * The clip of an element, on the stage.
 * @param place.matrix from the clipped element to the stage
 * @throws Undrawable if the clip is an element that cannot be drawn, or whose shape cannot clip
 */
export function clipOnStage(
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
  return elementClip(stored, materials, clip.title)
}

/** The clip by another element: by the shapes of a drawing, else by the rectangle around it. Its own clip is ignored. */
function elementClip(stored: Properties, materials: Materials, title: string): Clip {
  const element = readElement(stored)
  const { matrix, area } = placedBody(element, materials)
  const source = element.kind === 'picture' ? materials.source(element.source) : undefined
  if (element.kind !== 'picture' || source?.kind !== 'vectors')
    return { outline: rectangle(area), rule: 'nonzero' }
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

/**
 * The clip by a mask of the view, on the stage.
 * @param mask as an element (`masksOf` of page.ts), whose title is the property of the view that names the mask
 * @throws Undrawable for a mask that is not a drawing of shapes
 */
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
  return elementClip({ ...mask, parameters: { ...objectOf(mask.parameters), strokeWidth } }, materials, title)
}
