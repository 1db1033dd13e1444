// What a page of pixels consists of: layers of vectors, which the SVG library draws, and between them large pictures and shadows,
// whose pixels are painted in a fraction of the time that the library takes for them.
import { boundsOfMarks } from './bounds.ts'
import type { Frame } from './canvas.ts'
import type { Face } from './face.ts'
import type { Mark, PictureMark, ShadowMark } from './marks.ts'
import { identity, intersection, type Matrix, multiply, type Rectangle } from './matrix.ts'
import { rectangle } from './outline.ts'
import { sharpShadow } from './shadow.ts'

/** A part of a page that is painted in one step, over the layers before it. */
export type Layer =
  | { kind: 'vectors'; marks: Mark[] }
  | { kind: 'shadow'; mark: ShadowMark }
  /** `matrix` leads from the mark to the stage; the groups around the mark, which may clip and fade it, are in `whole`. */
  | { kind: 'picture'; mark: PictureMark; matrix: Matrix; whole: Mark }

/** The pixels of a page. */
export interface PageGrid {
  /** The part of the stage that they show. */
  area: Rectangle
  /** The size of the page in pixels. */
  width: number
  height: number
  /** The face of a font key in marks. */
  face: (key: string) => Face
}

/** A picture or shadow that covers fewer pixels of the page stays among the vectors, because a layer would cost more. */
const minLayerPixels = 60_000

/** The layers of a page from bottom to top; one layer of vectors if some of the marks are blended. */
export function layersOf(marks: readonly Mark[], grid: PageGrid): Layer[] {
  // What is blended needs what is below it in the same layer.
  if (hasBlend(marks)) return [{ kind: 'vectors', marks: [...marks] }]
  const layers: Layer[] = []
  for (const mark of marks) {
    const layer = seenPixels(mark, grid) >= minLayerPixels ? pixelLayer(mark) : undefined
    const last = layers.at(-1)
    if (layer) layers.push(layer)
    else if (last?.kind === 'vectors') last.marks.push(mark)
    else layers.push({ kind: 'vectors', marks: [mark] })
  }
  return layers
}

const hasBlend = (marks: readonly Mark[]): boolean =>
  marks.some((mark) => mark.kind === 'group' && (mark.blend !== undefined || hasBlend(mark.marks)))

/** The mark as a layer of pixels, if it is a blurred shadow or shows one picture; undefined for vectors. */
function pixelLayer(mark: Mark): Layer | undefined {
  if (mark.kind === 'shadow') return sharpShadow(mark) ? undefined : { kind: 'shadow', mark }
  const picture = onlyPicture(mark, identity)
  return picture && { kind: 'picture', ...picture, whole: mark }
}

/** The picture with its matrix to the stage, if the mark shows nothing else. @param outer from the mark to the stage */
function onlyPicture(mark: Mark, outer: Matrix): { mark: PictureMark; matrix: Matrix } | undefined {
  if (mark.kind === 'picture') return { mark, matrix: outer }
  if (mark.kind !== 'group' || mark.marks.length > 1) return undefined
  const inner = mark.matrix ? multiply(outer, mark.matrix) : outer
  return mark.marks[0] && onlyPicture(mark.marks[0], inner)
}

/** Pixels of the page within the bounds of the mark. */
export function seenPixels(mark: Mark, grid: PageGrid): number {
  const frame = frameOf([mark], grid)
  return frame ? frame.width * frame.height : 0
}

/** The pixels that the marks may cover; undefined if they are not on the page. */
export function frameOf(marks: readonly Mark[], { area, width, height, face }: PageGrid): Frame | undefined {
  const bounds = boundsOfMarks(marks, identity, face)
  const seen = bounds && intersection(bounds, area)
  if (!seen) return undefined
  const [x, y] = [width / area.width, height / area.height]
  const left = Math.max(0, Math.floor((seen.x - area.x) * x) - 1)
  const top = Math.max(0, Math.floor((seen.y - area.y) * y) - 1)
  const right = Math.min(width, Math.ceil((seen.x + seen.width - area.x) * x) + 1)
  const bottom = Math.min(height, Math.ceil((seen.y + seen.height - area.y) * y) + 1)
  return { left, top, width: right - left, height: bottom - top }
}

/**
 * The mark with white rectangles in place of pictures, as opaque as clips and groups let them be.
 * @param isCovered whether the picture of a key becomes a rectangle
 */
export function coveredPictures(mark: Mark, isCovered: (key: string) => boolean): Mark {
  if (mark.kind === 'group')
    return { ...mark, marks: mark.marks.map((child) => coveredPictures(child, isCovered)) }
  if (mark.kind !== 'picture' || !isCovered(mark.picture)) return mark
  const fill = { r: 255, g: 255, b: 255, a: 1 }
  return { kind: 'shape', outline: rectangle(mark), rule: 'nonzero', fill }
}

/** Whether the groups in a mark neither clip nor fade what they contain. */
export const isPlain = (mark: Mark): boolean =>
  mark.kind !== 'group' ||
  ((mark.clips ?? []).length === 0 && (mark.alpha ?? 1) === 1 && mark.marks.every(isPlain))
