// Writes a page of marks as a PNG or JPEG file.
import sharp, { type Sharp } from 'sharp'
import { divided, flop } from './canvas.ts'
import { isOpaquePage, layeredPage, type Painting, resourcesOf } from './layered-page.ts'
import { isGradient, type Mark } from './marks.ts'
import { faceByKey, type Loaded } from './materials.ts'
import { bledBox, bledSize, type DrawnPage } from './page.ts'
import { type Layer, layersOf, type PageGrid, seenPixels } from './page-layers.ts'
import { pngWriter } from './png-file.ts'
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

/** The page with its bleed as PNG or JPEG, in layers if it shows large pictures or soft shadows. @throws Undrawable for a picture or a shadow beyond the limits */
export async function pixelFile({ page, marks }: DrawnPage, loaded: Loaded, raster: Raster): Promise<Buffer> {
  const { type, width, height, dpi, mirror } = raster
  const grid: PageGrid = { area: bledBox(page), width, height, face: faceByKey(loaded) }
  const painting = { page, loaded, grid, maxPixels: width * height }
  const layers = layersOf(marks, grid)
  const isLayered = layers.some(({ kind }) => kind !== 'vectors')
  if (type === 'png' && isLayered) return bandedPng(layers, painting, raster, isFlat(marks, grid))
  const isLayeredJpeg = type === 'jpeg' && isLayered && width * height <= maxJpeg
  const upright = isLayeredJpeg
    ? await layeredOnWhite(layers, painting)
    : await drawnAtOnce(marks, painting, type)
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

async function layeredOnWhite(layers: readonly Layer[], painting: Painting): Promise<Sharp> {
  const { data, width, height } = await layeredPage(layers, painting, { isOpaque: true })
  return sharp(data, { raw: { width, height, channels: 3 } })
}

/** The page as the SVG library alone draws it. */
async function drawnAtOnce(marks: Mark[], painting: Painting, type: Raster['type']): Promise<Sharp> {
  const { area, width, height } = painting.grid
  const ground = type === 'jpeg' ? '#ffffff' : undefined
  return drawnPixels({ area, marks, ground, width, height }, await resourcesOf(marks, painting))
}

/** Maximum pixels in memory at once: of a band of a PNG, up to four bytes each; and of a layered JPEG, three bytes each. */
const [maxBand, maxJpeg] = [40_000_000, 80_000_000]

/** A PNG whose page is painted in layers, in bands of whole rows from top to bottom, so that memory never contains a large page. */
async function bandedPng(
  layers: readonly Layer[],
  painting: Painting,
  { dpi, mirror }: Raster,
  isFlatPage: boolean,
): Promise<Buffer> {
  const { width, height } = painting.grid
  const isOpaque = isOpaquePage(layers, painting)
  const writer = pngWriter({ width, height, channels: isOpaque ? 3 : 4, dpi, isFiltered: !isFlatPage })
  const bands = Math.ceil((width * height) / maxBand)
  const rows = Math.ceil(height / bands)
  for (let top = 0; top < height; top += rows) {
    const band = bandOf(painting, top, Math.min(rows, height - top))
    const bitmap = await layeredPage(layers, band, { isOpaque })
    if (!isOpaque) divided(bitmap.data)
    if (mirror) flop(bitmap)
    await writer.add(bitmap.data)
  }
  return writer.end()
}

/** The painting of some rows of a page, as a page without a bleed that has their share of box and height. @param top the first row */
export function bandOf(painting: Painting, top: number, rows: number): Painting {
  const { page, grid } = painting
  const { area, height } = grid
  const share = rows / height
  const box = { ...area, y: area.y + (area.height * top) / height, height: area.height * share }
  const size = bledSize(page)
  const bandPage = { ...page, ...size, height: size.height * share, bleed: 0, box }
  return { ...painting, page: bandPage, grid: { ...grid, area: box, height: rows } }
}

/** The share of a flat page that gradients, pictures and shadows may cover. */
const maxUnevenShare = 1 / 8

/** Whether almost all of the page has areas of one color. */
function isFlat(marks: readonly Mark[], grid: PageGrid): boolean {
  const pixels = marks
    .filter((mark) => !hasPlainColors(mark))
    .reduce((sum, mark) => sum + seenPixels(mark, grid), 0)
  return pixels < maxUnevenShare * grid.width * grid.height
}

/** Whether the mark has areas of one color, without gradients, pictures and shadows. */
function hasPlainColors(mark: Mark): boolean {
  if (mark.kind === 'group') return mark.marks.every(hasPlainColors)
  if (mark.kind === 'picture' || mark.kind === 'shadow') return false
  return [mark.fill, mark.stroke?.paint].every((paint) => paint === undefined || !isGradient(paint))
}
