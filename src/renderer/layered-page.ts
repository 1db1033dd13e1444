// Draws a page layer by layer: vectors by the SVG library, in strips; large pictures and shadows from their pixels.
import { type Bitmap, canvasOf, type Frame, multiplied, paintLayer, paintPicture } from './canvas.ts'
import { castShadow, castShadows } from './cast-shadow.ts'
import type { SvgResources } from './emit-svg.ts'
import { placedOver, placedPicture } from './layer-picture.ts'
import { type Mark, picturesIn, type ShadowMark } from './marks.ts'
import type { Loaded } from './materials.ts'
import { boundsOf, grown, invert, multiply } from './matrix.ts'
import { ontoPage, type PageBox } from './page.ts'
import { coveredPictures, frameOf, isPlain, type Layer, type PageGrid } from './page-layers.ts'
import { isPhoto } from './picture-pixels.ts'
import { sharpShadow } from './shadow.ts'
import { drawnPixels } from './strips.ts'
import { svgResources } from './svg-pictures.ts'

/** A page that is painted as pixels, or a band of one. */
export interface Painting {
  page: PageBox
  loaded: Loaded
  grid: PageGrid
  /** Pixels of the whole page, which limit pictures and shadows. */
  maxPixels: number
}

/** Whether a page has no transparent pixel, because its lowest layer is an opaque photo that covers it. */
export function isOpaquePage([lowest]: readonly Layer[], { loaded, grid }: Painting): boolean {
  return lowest?.kind === 'picture' && isOpaquePhoto(loaded, lowest.mark.picture) && isWholePage(lowest, grid)
}

/**
 * The pixels of a page: its layers painted one over the other.
 * @param options.isOpaque whether it is white where nothing is painted; otherwise it is transparent
 * @throws Undrawable for a picture or shadow beyond the limits
 */
export async function layeredPage(
  layers: readonly Layer[],
  painting: Painting,
  { isOpaque }: { isOpaque: boolean },
): Promise<Bitmap> {
  const { grid } = painting
  const canvas = canvasOf(grid, { isOpaque })
  for (const layer of layers) {
    if (layer.kind === 'vectors') await paintVectors(canvas, layer.marks, painting)
    if (layer.kind === 'shadow') await paintShadow(canvas, layer.mark, painting)
    if (layer.kind === 'picture') await paintLargePicture(canvas, layer, painting)
  }
  return canvas
}

type PictureLayer = Extract<Layer, { kind: 'picture' }>

/** Whether no pixel of the picture can be transparent. */
function isOpaquePhoto({ pictures }: Loaded, key: string): boolean {
  const picture = pictures.get(key)
  if (picture === undefined || !('source' in picture)) return false
  return !picture.change && !picture.blur && isPhoto(picture.source)
}

/** Whether the picture covers the page, or the band of it, and all of it is seen. */
function isWholePage({ mark, matrix, whole }: PictureLayer, { area, width }: PageGrid): boolean {
  const toMark = invert(matrix)
  // Pixels at the edge of a picture are half transparent.
  const page = toMark && boundsOf(toMark, grown(area, area.width / width))
  return (
    page !== undefined &&
    isPlain(whole) &&
    page.x >= mark.x &&
    page.y >= mark.y &&
    page.x + page.width <= mark.x + mark.width &&
    page.y + page.height <= mark.y + mark.height
  )
}

/** The faces, pictures and shadows with which the SVG library draws the marks. */
export async function resourcesOf(marks: Mark[], painting: Painting): Promise<SvgResources> {
  const { page, grid, maxPixels } = painting
  const pictures = await pictureResources(marks, painting)
  return castShadows({ page, marks }, pictures, perStage(grid), maxPixels)
}

/** The faces and pictures, without shadows. */
function pictureResources(marks: Mark[], { loaded, grid, maxPixels }: Painting): Promise<SvgResources> {
  const { x, y } = perStage(grid)
  const scale = { perStage: Math.max(x, y), maxPixels }
  return svgResources(loaded, picturesIn(marks, { withShadows: true }), scale)
}

/** Pixels of the page for each pixel of the stage, in both directions. */
const perStage = ({ area, width, height }: PageGrid) => ({ x: width / area.width, y: height / area.height })

/** Paints shapes, texts and small pictures, in strips. */
async function paintVectors(canvas: Bitmap, marks: Mark[], painting: Painting): Promise<void> {
  const resources = await resourcesOf(marks, painting)
  const { grid } = painting
  for (const frame of strips(frameOf(marks, grid)))
    paintLayer(canvas, await drawnFrame(marks, frame, grid, resources), frame)
}

/** The most pixels that are drawn at once, which limits memory. */
const maxStripPixels = 8_000_000

/** A frame as strips of whole rows from top to bottom; none for no frame. */
function strips(whole: Frame | undefined): Frame[] {
  if (!whole) return []
  const rows = Math.max(1, Math.floor(maxStripPixels / whole.width))
  return Array.from({ length: Math.ceil(whole.height / rows) }, (_, i) => ({
    ...whole,
    top: whole.top + i * rows,
    height: Math.min(rows, whole.height - i * rows),
  }))
}

/** The marks within a frame, drawn by the SVG library as RGBA. */
function drawnFrame(
  marks: Mark[],
  frame: Frame,
  { area, ...grid }: PageGrid,
  resources: SvgResources,
): Promise<Buffer> {
  // The size of a pixel on the stage.
  const [x, y] = [area.width / grid.width, area.height / grid.height]
  const { left, top, width, height } = frame
  const part = { x: area.x + left * x, y: area.y + top * y, width: width * x, height: height * y }
  return drawnPixels({ area: part, marks, width, height }, resources).raw().toBuffer()
}

/** Paints a shadow: as vectors if it has sharp edges, otherwise from its blurred pixels. */
async function paintShadow(canvas: Bitmap, mark: ShadowMark, painting: Painting): Promise<void> {
  const { page, loaded, grid, maxPixels } = painting
  // An opaque photo casts the shadow of its rectangle.
  const isOpaque = (key: string) => isOpaquePhoto(loaded, key)
  const casting = { ...mark, marks: mark.marks.map((child) => coveredPictures(child, isOpaque)) }
  const shape = sharpShadow(casting)
  if (shape) return paintVectors(canvas, [shape], painting)
  const resources = await pictureResources([casting], painting)
  const cast = await castShadow(casting, page, resources, perStage(grid), maxPixels)
  if (!cast) return
  const { area, rgba, width, height } = cast
  const bitmap = { width, height, channels: 4 as const, data: multiplied(rgba) }
  const matrix = placedOver(ontoPage(page, grid.width, grid.height), area, bitmap)
  const bounds = boundsOf(matrix, { x: 0, y: 0, width, height })
  const [left, top] = [Math.max(0, Math.round(bounds.x)), Math.max(0, Math.round(bounds.y))]
  const right = Math.min(grid.width, Math.round(bounds.x + bounds.width))
  const bottom = Math.min(grid.height, Math.round(bounds.y + bounds.height))
  const frame = { left, top, width: right - left, height: bottom - top }
  paintPicture(canvas, bitmap, matrix, frame, undefined)
}

/** Paints a picture from its pixels; where clips or groups hide or fade it, through a mask that the SVG library draws. */
async function paintLargePicture(canvas: Bitmap, layer: PictureLayer, painting: Painting): Promise<void> {
  const { page, loaded, grid, maxPixels } = painting
  const { mark, matrix, whole } = layer
  const picture = loaded.pictures.get(mark.picture)
  const frame = frameOf([whole], grid)
  if (!picture || !frame) return
  const { x, y } = perStage(grid)
  const onPage = multiply(ontoPage(page, grid.width, grid.height), matrix)
  const placed = await placedPicture(picture, {
    area: mark,
    matrix: onPage,
    page: grid,
    perStage: Math.max(x, y),
    maxPixels,
  })
  if (!placed) return
  const { bitmap } = placed
  if (isWholePage(layer, grid)) {
    paintPicture(canvas, bitmap, placed.matrix, frame, undefined)
    return
  }
  const cover = coveredPictures(whole, () => true)
  const resources = await pictureResources([cover], painting)
  for (const strip of strips(frame))
    paintPicture(canvas, bitmap, placed.matrix, strip, await drawnFrame([cover], strip, grid, resources))
}
