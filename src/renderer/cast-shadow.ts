// Draws soft shadows as pictures: draws the marks that cast a shadow, blurs their coverage, and colors it.
import sharp from 'sharp'
import type { SvgResources } from './emit-svg.ts'
import { type Color, type Mark, type ShadowMark, shadowsIn } from './marks.ts'
import { identity, intersection, type Rectangle, translate } from './matrix.ts'
import { bledBox, type DrawnPage, type PageBox } from './page.ts'
import { leastBlur } from './picture-pixels.ts'
import { Undrawable } from './refusal.ts'
import { shadowGrid, shadowRegion, sharpShadow } from './shadow.ts'
import { drawnPixels } from './strips.ts'

/** Pixels of a page for each pixel of the stage. */
interface Grid {
  x: number
  y: number
}

/** A drawn shadow may have up to this many times the pixels of its page, because its margins lie beyond the page. */
const maxPagesOfPixels = 4

/**
 * Where a shadow falls on the page, with a pixel more on each side, so that colors between pixels are right at the edges too: `width`,
 * `height` and `sigma` in its own pixels, `area` on the stage. The outer frame is larger by the margins, from which the blur brings
 * color in.
 * @param pixels of the page; a wide blur is drawn in fewer (`shadowGrid`)
 * @param maxPixels pixels of the whole page, or the most that it may have
 * @returns undefined if it does not fall on the page, or if shapes can show it
 * @throws Undrawable if it is too large
 */
export function shadowFrame(
  mark: ShadowMark,
  page: PageBox,
  face: SvgResources['face'],
  pixels: Grid,
  maxPixels: number,
) {
  if (sharpShadow(mark)) return undefined
  const grid = shadowGrid(mark, pixels)
  const whole = bledBox(page)
  const region = shadowRegion(mark, identity, whole, face)
  const fallen = region && intersection(region, whole)
  if (!fallen) return undefined
  // Fine pixels are those of the page. Coarse ones begin at zero of the stage, so that they are the same in all bands of a page.
  const start = grid.x < pixels.x ? { x: 0, y: 0 } : whole
  const left = Math.floor((fallen.x - start.x) * grid.x) - 1
  const top = Math.floor((fallen.y - start.y) * grid.y) - 1
  const width = Math.ceil((fallen.x + fallen.width - start.x) * grid.x) + 1 - left
  const height = Math.ceil((fallen.y + fallen.height - start.y) * grid.y) + 1 - top
  const [marginX, marginY] = [Math.ceil(3 * mark.sigma * grid.x), Math.ceil(3 * mark.sigma * grid.y)]
  const [outerWidth, outerHeight] = [width + 2 * marginX, height + 2 * marginY]
  if (outerWidth * outerHeight > maxPagesOfPixels * maxPixels)
    throw new Undrawable('limit', 'A shadow is too large.')
  const areaOf = (x: number, y: number, w: number, h: number): Rectangle => ({
    x: start.x + x / grid.x,
    y: start.y + y / grid.y,
    width: w / grid.x,
    height: h / grid.y,
  })
  return {
    width,
    height,
    marginX,
    marginY,
    outerWidth,
    outerHeight,
    area: areaOf(left, top, width, height),
    outerArea: areaOf(left - marginX, top - marginY, outerWidth, outerHeight),
    sigma: (mark.sigma * (grid.x + grid.y)) / 2,
  }
}

type ShadowFrame = NonNullable<ReturnType<typeof shadowFrame>>

/** The picture of a shadow on the page; undefined if it does not fall there, or if shapes can show it. @throws Undrawable if it is too large */
export async function castShadow(
  mark: ShadowMark,
  page: PageBox,
  resources: SvgResources,
  pixels: Grid,
  maxPixels: number,
) {
  const frame = shadowFrame(mark, page, resources.face, pixels, maxPixels)
  if (!frame) return undefined
  const { width, height, outerWidth, outerHeight, area, outerArea, sigma } = frame
  const moved: Mark = { kind: 'group', matrix: translate(mark.dx, mark.dy), marks: mark.marks }
  const part = { area: outerArea, marks: [moved], width: outerWidth, height: outerHeight }
  const alpha = drawnPixels(part, resources).extractChannel(3).raw()
  const raw = { width: outerWidth, height: outerHeight, channels: 1 as const }
  const sharply = sharp(await alpha.toBuffer(), { raw })
  const soft = sigma < leastBlur ? sharply : sharply.blur({ sigma, minAmplitude: 0.01 })
  // The margins are cut off afterwards: sharp would extract before it blurs.
  const covered = await soft.extractChannel(0).raw().toBuffer()
  return { area, rgba: inColor(covered, frame, mark.color), width, height }
}

/** Pixels of one color, each as opaque as it is covered. @param covered with the margins of the frame */
function inColor(covered: Uint8Array, frame: ShadowFrame, { r, g, b, a }: Color): Uint8Array {
  const { width, height, marginX, marginY, outerWidth } = frame
  const rgba = new Uint8Array(4 * width * height)
  for (let y = 0, i = 0; y < height; y++) {
    const from = (marginY + y) * outerWidth + marginX
    for (let at = from; at < from + width; at++, i += 4) {
      rgba[i] = r
      rgba[i + 1] = g
      rgba[i + 2] = b
      rgba[i + 3] = (covered[at] ?? 0) * a + 0.5
    }
  }
  return rgba
}

/** A shadow that `castShadow` drew. */
type Cast = NonNullable<Awaited<ReturnType<typeof castShadow>>>

/**
 * Enlarges a shadow that was drawn coarsely because its blur is wide: in a PDF its pixels would be visible.
 * @param least pixels for each pixel of the stage; fewer if the picture would have more than `maxPixels`
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

/**
 * The resources with the soft shadows of a page drawn as pictures: as filters of the page, each would cost as much as the whole page.
 * @throws Undrawable if one is too large
 */
export async function castShadows(
  page: DrawnPage,
  resources: SvgResources,
  grid: Grid,
  maxPixels: number,
): Promise<SvgResources> {
  const drawn = new Map<ShadowMark, { href: string; area: Rectangle }>()
  for (const mark of shadowsIn(page.marks)) {
    const cast = await castShadow(mark, page.page, resources, grid, maxPixels)
    if (!cast) continue
    const { rgba, width, height } = cast
    const picture = sharp(rgba, { raw: { width, height, channels: 4 } })
    const png = await picture.png({ compressionLevel: 1 }).toBuffer()
    drawn.set(mark, { href: `data:image/png;base64,${png.toString('base64')}`, area: cast.area })
  }
  return { ...resources, shadow: (mark) => drawn.get(mark) }
}
