// Draws soft shadows as pictures: draws the marks that cast a shadow, blurs their coverage, and colors it.
import sharp from 'sharp'
import type { Inks } from './emit-svg.ts'
import type { Color, Mark, ShadowMark } from './marks.ts'
import { common, identity, type Rectangle, translate } from './matrix.ts'
import { bledBox, type PageBox, type PdfPage } from './page.ts'
import { leastBlur } from './picture-pixels.ts'
import { Undrawable } from './refusal.ts'
import { shadowGrid, shadowRegion, sharpShadow } from './shadow.ts'
import { drawnPixels } from './strips.ts'

/** All shadows among marks, also in groups. */
export function shadowsIn(marks: readonly Mark[]): ShadowMark[] {
  return marks.flatMap((mark) =>
    mark.kind === 'shadow' ? [mark] : mark.kind === 'group' ? shadowsIn(mark.marks) : [],
  )
}

/** Pixels of a page for each pixel of the stage. */
interface Grid {
  x: number
  y: number
}

/** Where a shadow falls on the page, in whole pixels; undefined if it does not, or if shapes can show it. @throws Undrawable */
export function shadowFrame(
  mark: ShadowMark,
  page: PageBox,
  face: Inks['face'],
  pixels: Grid,
  maxPixels: number,
) {
  if (sharpShadow(mark)) return undefined
  const grid = shadowGrid(mark, pixels)
  const whole = bledBox(page)
  const region = shadowRegion(mark, identity, whole, face)
  const fallen = region && common(region, whole)
  if (!fallen) return undefined
  const left = Math.floor((fallen.x - whole.x) * grid.x)
  const top = Math.floor((fallen.y - whole.y) * grid.y)
  const width = Math.max(1, Math.ceil((fallen.x + fallen.width - whole.x) * grid.x) - left)
  const height = Math.max(1, Math.ceil((fallen.y + fallen.height - whole.y) * grid.y) - top)
  // A blur brings color in from beyond the edges.
  const [mx, my] = [Math.ceil(3 * mark.sigma * grid.x), Math.ceil(3 * mark.sigma * grid.y)]
  const [outerWidth, outerHeight] = [width + 2 * mx, height + 2 * my]
  if (outerWidth * outerHeight > 4 * maxPixels) throw new Undrawable('limit', 'A shadow is too large.')
  const areaOf = (x: number, y: number, w: number, h: number): Rectangle => ({
    x: whole.x + x / grid.x,
    y: whole.y + y / grid.y,
    width: w / grid.x,
    height: h / grid.y,
  })
  return {
    width,
    height,
    mx,
    my,
    outerWidth,
    outerHeight,
    area: areaOf(left, top, width, height),
    outerArea: areaOf(left - mx, top - my, outerWidth, outerHeight),
    sigma: (mark.sigma * (grid.x + grid.y)) / 2,
  }
}

/** The part of a shadow on the page; undefined if there is none, or if shapes can show it. */
export async function castShadow(
  mark: ShadowMark,
  page: PageBox,
  inks: Inks,
  pixels: Grid,
  maxPixels: number,
) {
  const frame = shadowFrame(mark, page, inks.face, pixels, maxPixels)
  if (!frame) return undefined
  const { width, height, mx, my, outerWidth, outerHeight, area, outerArea, sigma } = frame
  const moved: Mark = { kind: 'group', matrix: translate(mark.dx, mark.dy), marks: mark.marks }
  const part = { area: outerArea, marks: [moved], width: outerWidth, height: outerHeight }
  const alpha = drawnPixels(part, inks).extractChannel(3).raw()
  const raw = { width: outerWidth, height: outerHeight, channels: 1 as const }
  const sharply = sharp(await alpha.toBuffer(), { raw })
  const soft = sigma < leastBlur ? sharply : sharply.blur({ sigma, minAmplitude: 0.01 })
  const covered = await soft.extract({ left: mx, top: my, width, height }).extractChannel(0).raw().toBuffer()
  return { area, rgba: inColor(covered, mark.color), width, height }
}

/** Pixels of one color, each as opaque as it is covered. */
function inColor(covered: Uint8Array, { r, g, b, a }: Color): Uint8Array {
  const rgba = new Uint8Array(4 * covered.length)
  for (let i = 0; i < covered.length; i++) {
    rgba[4 * i] = r
    rgba[4 * i + 1] = g
    rgba[4 * i + 2] = b
    rgba[4 * i + 3] = (covered[i] ?? 0) * a + 0.5
  }
  return rgba
}

type Cast = NonNullable<Awaited<ReturnType<typeof castShadow>>>

/**
 * Enlarges a shadow that was drawn coarsely because its blur is wide, since printers show pixels of a lower resolution.
 * @param least pixels for each pixel of the stage. A pixel of a very wide blur covers many pages, so that these have a limit.
 */
export async function smooth({ rgba, area, ...drawn }: Cast, least: number, maxPixels: number) {
  const scale = Math.min(least, Math.sqrt(maxPixels / (area.width * area.height)))
  const [width, height] = [Math.ceil(area.width * scale), Math.ceil(area.height * scale)]
  if (drawn.width >= width && drawn.height >= height) return { data: rgba, info: drawn }
  return sharp(rgba, { raw: { ...drawn, channels: 4 } })
    .resize(Math.max(width, drawn.width), Math.max(height, drawn.height), { fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer({ resolveWithObject: true })
}

/** The shadows of a page as pictures: a filter in the page itself would cost as much as the whole page, for each of them. */
export async function castShadows(page: PdfPage, inks: Inks, grid: Grid, maxPixels: number): Promise<Inks> {
  const drawn = new Map<ShadowMark, { href: string; area: Rectangle }>()
  for (const mark of shadowsIn(page.marks)) {
    const cast = await castShadow(mark, page.page, inks, grid, maxPixels)
    if (!cast) continue
    const { rgba, width, height } = cast
    const picture = sharp(rgba, { raw: { width, height, channels: 4 } })
    const png = await picture.png({ compressionLevel: 1 }).toBuffer()
    drawn.set(mark, { href: `data:image/png;base64,${png.toString('base64')}`, area: cast.area })
  }
  return { ...inks, shadow: (mark) => drawn.get(mark) }
}
