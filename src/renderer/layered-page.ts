// Draws a page layer by layer: vectors by the SVG library, in strips; large pictures and shadows from their pixels.
import { type Bitmap, canvasOf, type Frame, multiplied, paintLayer, paintPicture } from './canvas.ts'
import { castShadow, castShadows } from './cast-shadow.ts'
import type { Inks } from './emit-svg.ts'
import { placedOver, placedPicture } from './layer-picture.ts'
import type { Mark, ShadowMark } from './marks.ts'
import type { Loaded } from './materials.ts'
import { boundsOf, grown, invert, multiply } from './matrix.ts'
import { picturesIn } from './output-limits.ts'
import { ontoPage, type PageBox } from './page.ts'
import { covered, frameOf, isPlain, type Layer, type PageGrid } from './page-layers.ts'
import { isPhoto } from './picture-pixels.ts'
import { sharpShadow } from './shadow.ts'
import { drawnPixels } from './strips.ts'
import { svgInks } from './svg-pictures.ts'

export interface Painting {
  page: PageBox
  loaded: Loaded
  grid: PageGrid
}

/** @param isWhite whether the page is white where nothing is painted, and not transparent */
export async function layeredPage(
  layers: readonly Layer[],
  painting: Painting,
  isWhite: boolean,
): Promise<Bitmap> {
  const { loaded, grid } = painting
  const [lowest] = layers
  const isOpaque =
    isWhite ||
    (lowest?.kind === 'picture' && isOpaquePhoto(loaded, lowest.mark.picture) && isWholePage(lowest, grid))
  const canvas = canvasOf(grid.width, grid.height, isOpaque)
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
  const kept = pictures.get(key)
  return kept !== undefined && 'source' in kept && !kept.change && !kept.blur && isPhoto(kept.source)
}

/** Whether the picture covers the page and all of it is seen. */
function isWholePage({ mark, matrix, whole }: PictureLayer, { area, width }: PageGrid): boolean {
  const back = invert(matrix)
  // Pixels at the edge of a picture are half transparent.
  const page = back && boundsOf(back, grown(area, area.width / width))
  return (
    page !== undefined &&
    isPlain(whole) &&
    page.x >= mark.x &&
    page.y >= mark.y &&
    page.x + page.width <= mark.x + mark.width &&
    page.y + page.height <= mark.y + mark.height
  )
}

/** What the SVG library needs to draw the marks. */
export async function inksOf(marks: Mark[], painting: Painting): Promise<Inks> {
  const { page, grid } = painting
  const pictures = await pictureInks(marks, painting)
  return castShadows({ page, marks }, pictures, perStage(grid), grid.width * grid.height)
}

function pictureInks(marks: Mark[], { loaded, grid }: Painting): Promise<Inks> {
  const { x, y } = perStage(grid)
  const scale = { perStage: Math.max(x, y), maxPixels: grid.width * grid.height }
  return svgInks(loaded, picturesIn(marks, true), scale)
}

const perStage = ({ area, width, height }: PageGrid) => ({ x: width / area.width, y: height / area.height })

async function paintVectors(canvas: Bitmap, marks: Mark[], painting: Painting): Promise<void> {
  const inks = await inksOf(marks, painting)
  const { grid } = painting
  for (const frame of strips(frameOf(marks, grid)))
    paintLayer(canvas, await drawn(marks, frame, grid, inks), frame)
}

/** Pixels that are drawn at once. */
const maxStrip = 8_000_000

function strips(whole: Frame | undefined): Frame[] {
  if (!whole) return []
  const rows = Math.max(1, Math.floor(maxStrip / whole.width))
  return Array.from({ length: Math.ceil(whole.height / rows) }, (_, i) => ({
    ...whole,
    top: whole.top + i * rows,
    height: Math.min(rows, whole.height - i * rows),
  }))
}

/** The frame in RGBA. */
function drawn(marks: Mark[], frame: Frame, { area, ...grid }: PageGrid, inks: Inks): Promise<Buffer> {
  const [x, y] = [area.width / grid.width, area.height / grid.height]
  const { left, top, width, height } = frame
  const part = { x: area.x + left * x, y: area.y + top * y, width: width * x, height: height * y }
  return drawnPixels({ area: part, marks, width, height }, inks).raw().toBuffer()
}

async function paintShadow(canvas: Bitmap, mark: ShadowMark, painting: Painting): Promise<void> {
  const { page, loaded, grid } = painting
  // An opaque photo casts the shadow of its rectangle.
  const isOpaque = (key: string) => isOpaquePhoto(loaded, key)
  const casting = { ...mark, marks: mark.marks.map((each) => covered(each, isOpaque)) }
  const shape = sharpShadow(casting)
  if (shape) return paintVectors(canvas, [shape], painting)
  const inks = await pictureInks([casting], painting)
  const cast = await castShadow(casting, page, inks, perStage(grid), grid.width * grid.height)
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

async function paintLargePicture(canvas: Bitmap, layer: PictureLayer, painting: Painting): Promise<void> {
  const { page, loaded, grid } = painting
  const { mark, matrix, whole } = layer
  const kept = loaded.pictures.get(mark.picture)
  const frame = frameOf([whole], grid)
  if (!kept || !frame) return
  const { x, y } = perStage(grid)
  const onPage = multiply(ontoPage(page, grid.width, grid.height), matrix)
  const placed = await placedPicture(kept, {
    area: mark,
    matrix: onPage,
    page: grid,
    perStage: Math.max(x, y),
  })
  if (!placed) return
  const { bitmap } = placed
  if (isWholePage(layer, grid)) {
    paintPicture(canvas, bitmap, placed.matrix, frame, undefined)
    return
  }
  const cover = covered(whole, () => true)
  const inks = await pictureInks([cover], painting)
  for (const strip of strips(frame))
    paintPicture(canvas, bitmap, placed.matrix, strip, await drawn([cover], strip, grid, inks))
}
