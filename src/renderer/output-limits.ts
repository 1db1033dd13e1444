// Limits of what can be drawn of a page in a format: the same rules for prints and for preflights, so that they never disagree.
import { shadowFrame } from './cast-shadow.ts'
import { isScalable, type KeptPdf, type RasterDrawing } from './drawn-materials.ts'
import { picturesIn, shadowsIn } from './marks.ts'
import { faceByKey, type Loaded } from './materials.ts'
import type { DrawnPage, PageBox } from './page.ts'
import { Undrawable } from './refusal.ts'
import { maxLibrsvgSide } from './strips.ts'
import type { PrintTask } from './task.ts'

/** Millimetres. */
const inch = 25.4
/** The least and the greatest resolution of shadows in a PDF, which are soft. */
export const shadowDpi = { least: 150, most: 200 }
/** The resolution of drawings that are printed as pictures. */
export const drawingDpi = 300
/** How much coarser such a drawing may be if it would have too many pixels. */
const maxCoarseness = 3
/** Pixels of a side of a JPEG. */
const maxJpegSide = 65_500
/** Points of a side of a PDF page in its own unit (PDF 32000-1, Annex C). */
const maxPoints = 14_400

/** Pixels of a page with its bleed. @throws Undrawable beyond the limits */
export function pixelSize(
  page: PageBox,
  { format, dpi, maxPixels }: Pick<PrintTask, 'format' | 'dpi' | 'maxPixels'>,
): { width: number; height: number } {
  const side = (length: number) => Math.max(1, Math.round(((length + 2 * page.bleed) / inch) * dpi))
  const [width, height] = [side(page.width), side(page.height)]
  const measures = `The page measures ${width} × ${height} pixels at ${dpi} dpi`
  if (width * height > maxPixels)
    throw new Undrawable('limit', `${measures}; at most ${Math.floor(maxPixels / 1e6)} megapixels are drawn.`)
  if (format === 'jpeg' && Math.max(width, height) > maxJpegSide)
    throw new Undrawable('limit', `${measures}; a JPEG has at most ${maxJpegSide} pixels on each side.`)
  return { width, height }
}

/** The unit of a PDF page in points: 1, unless the page would be longer than PDFs allow. @param width millimetres, as `height` */
export const userUnit = (width: number, height: number): number =>
  Math.max(1, Math.ceil((Math.max(width, height) * 72) / inch / maxPoints))

/** The pixels for each unit of a drawing that becomes a picture. @throws Undrawable if it would be too coarse */
export function drawingScale(
  { width, height, stretch }: RasterDrawing | KeptPdf,
  pixelsPerStage: number,
  maxPixels: number,
): number {
  const maxScale = Math.min(Math.sqrt(maxPixels / (width * height)), maxLibrsvgSide / Math.max(width, height))
  if (stretch * pixelsPerStage > maxCoarseness * maxScale)
    throw new Undrawable('limit', 'A drawing that is printed as a picture is too large.')
  return Math.min(stretch * pixelsPerStage, maxScale)
}

/** Pixels of a shadow in a PDF for each pixel of the stage. @param scale inches for each pixel of the stage */
export const shadowScale = (scale: number, dpi: number) =>
  scale * Math.min(Math.max(dpi, shadowDpi.least), shadowDpi.most)

/** @throws Undrawable if the page cannot be drawn in the format of the task */
export function assertDrawable({ page, marks }: DrawnPage, loaded: Loaded, task: PrintTask): void {
  const { format, dpi, maxPixels } = task
  const scale = page.width / page.box.width / inch
  const isRaster = format === 'png' || format === 'jpeg'
  const size = isRaster ? pixelSize(page, task) : undefined
  const perStage = scale * (format === 'svg-pdf' ? drawingDpi : dpi)
  const pixelLimit = size ? size.width * size.height : maxPixels
  for (const key of picturesIn(marks, { withShadows: true })) {
    const picture = loaded.pictures.get(key)
    if (picture && isScalable(picture)) drawingScale(picture, perStage, pixelLimit)
  }
  if (format === 'svg') return
  const perStageOfShadows = isRaster ? perStage : shadowScale(scale, dpi)
  const grid = { x: perStageOfShadows, y: perStageOfShadows }
  const face = faceByKey(loaded)
  for (const mark of shadowsIn(marks)) shadowFrame(mark, page, face, grid, pixelLimit)
}

/** A sentence about a page that needs a UserUnit, which some programs do not support; undefined for other pages. */
export function sizeNote({ width, height, bleed }: PageBox, { format }: PrintTask): string | undefined {
  const unit = userUnit(width + 2 * bleed, height + 2 * bleed)
  if (format !== 'svg-pdf' || unit === 1) return undefined
  const metres = Math.round(Math.max(width, height) / 10) / 100
  return `The page is ${metres} m long; its PDF is ${unit} times as large as its numbers (UserUnit), which the printer has to support.`
}
