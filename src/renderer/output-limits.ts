// Sizes and resolutions in which a page is drawn, and their limits: the same rules for prints and for preflights, so that they never
// disagree.
import { shadowFrame } from './cast-shadow.ts'
import { isScalable, type KeptPdf, type RasterDrawing } from './drawn-materials.ts'
import { picturesIn, shadowsIn } from './marks.ts'
import { faceByKey, type Loaded } from './materials.ts'
import { bledSize, type DrawnPage, type PageBox } from './page.ts'
import { marginWithMarks } from './pdf-finishing.ts'
import { Undrawable } from './refusal.ts'
import { maxLibrsvgSide } from './strips.ts'
import type { PrintTask } from './task.ts'

/** Millimetres of an inch. */
export const inch = 25.4
/** The least and the greatest resolution of shadows in a PDF: they are soft, so that more pixels are not seen. */
export const shadowDpi = { least: 150, most: 200 }
/** The resolution in a PDF of drawings that are printed as pictures. */
export const drawingDpi = 300
/** How many times coarser such a drawing may become if it would have too many pixels. */
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
  const size = bledSize(page)
  const side = (length: number) => Math.max(1, Math.round((length / inch) * dpi))
  const [width, height] = [side(size.width), side(size.height)]
  const measures = `The page measures ${width} × ${height} pixels at ${dpi} dpi`
  if (width * height > maxPixels)
    throw new Undrawable('limit', `${measures}; at most ${Math.floor(maxPixels / 1e6)} megapixels are drawn.`)
  if (format === 'jpeg' && Math.max(width, height) > maxJpegSide)
    throw new Undrawable('limit', `${measures}; a JPEG has at most ${maxJpegSide} pixels on each side.`)
  return { width, height }
}

/** The unit of a PDF page in points: 1, unless the page with crop marks would be longer than PDFs allow, whether it has them or not. */
export const userUnit = ({ width, height, bleed }: PageBox): number =>
  Math.max(1, Math.ceil(((Math.max(width, height) + 2 * (bleed + marginWithMarks)) * 72) / inch / maxPoints))

/** The pixels for each unit of a drawing that becomes a picture: as many as the output needs, up to the limits. */
export function drawingScale(
  { width, height, stretch }: RasterDrawing | KeptPdf,
  pixelsPerStage: number,
  maxPixels: number,
): number {
  const maxScale = Math.min(Math.sqrt(maxPixels / (width * height)), maxLibrsvgSide / Math.max(width, height))
  return Math.min(stretch * pixelsPerStage, maxScale)
}

/** Pixels of a shadow in a PDF for each pixel of the stage. @param scale inches for each pixel of the stage @param dpi of the task */
export const shadowScale = (scale: number, dpi: number) =>
  scale * Math.min(Math.max(dpi, shadowDpi.least), shadowDpi.most)

/** Checks the sizes of a page and of its drawings and shadows. @throws Undrawable if it cannot be drawn in the format of the task */
export function assertDrawable({ page, marks }: DrawnPage, loaded: Loaded, task: PrintTask): void {
  const { format, dpi, maxPixels } = task
  const scale = page.width / page.box.width / inch
  const isRaster = format === 'png' || format === 'jpeg'
  const size = isRaster ? pixelSize(page, task) : undefined
  const perStage = scale * (format === 'svg-pdf' ? drawingDpi : dpi)
  const pixelLimit = size ? size.width * size.height : maxPixels
  for (const key of picturesIn(marks, { withShadows: true })) {
    const picture = loaded.pictures.get(key)
    if (!picture || !isScalable(picture)) continue
    if (picture.stretch * perStage > maxCoarseness * drawingScale(picture, perStage, pixelLimit))
      throw new Undrawable('limit', 'A drawing that is printed as a picture is too large.')
  }
  // An SVG contains shadows as filters, without pixels.
  if (format === 'svg') return
  const perStageOfShadows = isRaster ? perStage : shadowScale(scale, dpi)
  const grid = { x: perStageOfShadows, y: perStageOfShadows }
  const face = faceByKey(loaded)
  for (const mark of shadowsIn(marks)) shadowFrame(mark, page, face, grid, pixelLimit)
}

/** A sentence about a page that needs a UserUnit, which some programs do not support; undefined for other pages. */
export function sizeNote(page: PageBox, { format }: PrintTask): string | undefined {
  const { width, height } = page
  const unit = userUnit(page)
  if (format !== 'svg-pdf' || unit === 1) return undefined
  const metres = Math.round(Math.max(width, height) / 10) / 100
  return `The page is ${metres} m long; its PDF is ${unit} times as large as its numbers (UserUnit), which the printer has to support.`
}
