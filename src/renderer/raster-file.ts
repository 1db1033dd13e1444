// Writes a page of marks as a PNG or JPEG file.
import sharp, { type Sharp } from 'sharp'
import { divided } from './canvas.ts'
import { inksOf, layeredPage, type Painting } from './layered-page.ts'
import { isGradient, type Mark } from './marks.ts'
import type { Loaded } from './materials.ts'
import { faceOf } from './output-limits.ts'
import { bledBox, type PdfPage } from './page.ts'
import { layersOf, type PageGrid, seenPixels } from './page-layers.ts'
import { drawnPixels } from './strips.ts'

/** The format and size of a PNG or JPEG. */
export interface Raster {
  type: 'png' | 'jpeg'
  /** In pixels. */
  width: number
  height: number
  /** Noted in the file; undefined for previews. */
  dpi: number | undefined
  /** Whether left and right are exchanged. */
  mirror?: boolean | undefined
}

/** The page with its bleed as PNG or JPEG. @throws Undrawable for a picture or a shadow beyond the limits */
export async function pixelFile({ page, marks }: PdfPage, loaded: Loaded, raster: Raster): Promise<Buffer> {
  const { type, width, height, dpi, mirror } = raster
  const grid: PageGrid = { area: bledBox(page), width, height, face: faceOf(loaded) }
  const upright = await pagePixels(marks, { page, loaded, grid, isWhite: type === 'jpeg' })
  const image = mirror ? upright.flop() : upright
  const dense = dpi === undefined ? image : image.withMetadata({ density: dpi })
  // A higher level takes several times as long, for a file that is a few percent smaller; filters pay where pixels differ.
  if (type === 'png')
    return dense.png({ compressionLevel: 2, adaptiveFiltering: !isFlat(marks, grid) }).toBuffer()
  // The ground is opaque. Optimised tables take three times as long, for a file that is one percent smaller.
  return dense
    .removeAlpha()
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4', optimiseCoding: false })
    .toBuffer()
}

/** Pixels of a page beyond which it is not held in memory as a whole. */
const maxCanvas = 40_000_000

/** The pixels of a page: in layers if large pictures on it are worth that, otherwise drawn by the SVG library alone. */
async function pagePixels(marks: Mark[], painting: Painting): Promise<Sharp> {
  const { isWhite } = painting
  const { area, width, height } = painting.grid
  const layers = width * height > maxCanvas ? [] : layersOf(marks, painting.grid)
  if (layers.every(({ kind }) => kind === 'vectors')) {
    const ground = isWhite ? '#ffffff' : undefined
    return drawnPixels({ area, marks, ground, width, height }, await inksOf(marks, painting))
  }
  const { data, channels } = await layeredPage(layers, painting)
  return sharp(channels === 3 ? data : divided(data), { raw: { width, height, channels } })
}

/** The share of a flat page that gradients, pictures and shadows may cover. */
const maxUnevenShare = 1 / 8

/** Whether almost all of the page has areas of one color. */
function isFlat(marks: readonly Mark[], grid: PageGrid): boolean {
  const pixels = marks.filter((mark) => !isEven(mark)).reduce((sum, mark) => sum + seenPixels(mark, grid), 0)
  return pixels < maxUnevenShare * grid.width * grid.height
}

/** Whether the mark has areas of one color, without gradients, pictures and shadows. */
function isEven(mark: Mark): boolean {
  if (mark.kind === 'group') return mark.marks.every(isEven)
  if (mark.kind === 'picture' || mark.kind === 'shadow') return false
  return [mark.fill, mark.stroke?.paint].every((paint) => paint === undefined || !isGradient(paint))
}
