// Converts colors for the press: those of vectors by the output profile, each once; black as black ink alone; spot colors by name; and
// pictures, whose ink it measures.
import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { blackRamp } from './black-ink.ts'
import { black, hexOf } from './color.ts'
import { type Color, isGradient, type Mark, type Paint } from './marks.ts'
import type { PdfPicture } from './pdf-picture.ts'
import { jpegQuality } from './picture-files.ts'
import { Undrawable } from './refusal.ts'
import type { BlackInk } from './renderer-options.ts'

/** A color of the shop's library that is printed with a special ink. */
export interface SpotColor {
  /** As `#rrggbb` in the design. */
  hex: string
  name: string
  /** Percent of cyan, magenta, yellow and black where the ink is not at hand; the profile's if it is absent. */
  cmyk?: Inks
}

/** Percent of cyan, magenta, yellow and black. */
export type Inks = readonly [number, number, number, number]

/** How a PDF for the press is made. */
export interface PressTask {
  /** Path of the output profile. */
  profile: string
  /** Name of the printing condition, such as FOGRA39. */
  condition: string
  overprintBlack: boolean
  /** Which neutral grays black ink alone prints. */
  blackInk: BlackInk
  /** Percent of all inks together above which a warning is given. */
  maxInk: number
  spots: readonly SpotColor[]
}

/** The colors of a file in the inks of its press. */
export interface PressColors {
  /** Percent of each ink. */
  inks(color: Color): Inks
  spot(color: Color): (SpotColor & { cmyk: Inks }) | undefined
}

/** Converts all colors of the marks at once. @throws Undrawable if the profile does not convert */
export async function pressColors(
  marks: readonly Mark[],
  { profile, spots }: Pick<PressTask, 'profile' | 'spots'>,
): Promise<PressColors> {
  const used = colorsIn(marks)
  // At least one color, so that a profile that does not convert is noticed.
  const colors = new Map<string, Color>([['#000000', black]])
  for (const color of used) colors.set(hexOf(color), color)
  const table = new Map<string, Inks>()
  const list = [...colors.values()]
  const pixels = Buffer.from(list.flatMap(({ r, g, b }) => [r, g, b].map(Math.round)))
  const image = sharp(pixels, { raw: { width: list.length, height: 1, channels: 3 } })
  let isDamaged = false
  // The codec then converts by a profile of its own, and only warns.
  image.on('warning', (message) => {
    isDamaged ||= /invalid profile/i.test(message)
  })
  const converted = await separated(image, profile)
  if (isDamaged) throw new Undrawable('page', 'The output profile is damaged.')
  for (const [index, color] of list.entries()) {
    const [c = 0, m = 0, y = 0, k = 0] = [...converted.subarray(4 * index, 4 * index + 4)].map(percent)
    table.set(hexOf(color), [c, m, y, k])
  }
  // Thin black in four inks would show the slightest shift between them.
  table.set('#000000', [0, 0, 0, 100])
  const blackOf = used.some(({ inBlack }) => inBlack) ? await blackRamp(await readFile(profile)) : () => 100
  const inks = (color: Color): Inks =>
    color.inBlack ? [0, 0, 0, blackOf(color)] : (table.get(hexOf(color)) ?? [0, 0, 0, 100])
  const named = new Map(spots.map((spot) => [spot.hex.toLowerCase(), spot]))
  return {
    inks: (color) => named.get(hexOf(color))?.cmyk ?? inks(color),
    spot(color) {
      const spot = named.get(hexOf(color))
      return spot && { ...spot, cmyk: spot.cmyk ?? inks(color) }
    },
  }
}

const percent = (value: number) => Math.round((value / 255) * 1000) / 10

/** The colors of fills, lines, gradients and shadows. */
export function colorsIn(marks: readonly Mark[]): Color[] {
  const ofPaint = (paint: Paint | undefined): Color[] =>
    !paint ? [] : isGradient(paint) ? paint.stops.map(({ color }) => color) : [paint]
  return marks.flatMap((mark) => {
    if (mark.kind === 'group') return colorsIn(mark.marks)
    if (mark.kind === 'shadow') return [mark.color, ...colorsIn(mark.marks)]
    return mark.kind === 'picture' ? [] : [...ofPaint(mark.fill), ...ofPaint(mark.stroke?.paint)]
  })
}

/** Four inks for each pixel, by the profile. */
const separated = (image: Sharp, profile: string): Promise<Buffer> =>
  image.removeAlpha().withIccProfile(profile).toColourspace('cmyk').raw().toBuffer()

/** The least quality of a JPEG that is converted. */
const leastQuality = 80

/**
 * The picture in the inks of the press. Pictures in gray or in CMYK and pages of PDFs are printed as they are, without the output profile,
 * which PDF/X-4 does not allow a second time (ISO 15930-7, 6.2.4). A picture of the kind `png` is gray in a PDF for the press.
 */
export async function pressPicture(picture: PdfPicture, profile: string): Promise<PdfPicture> {
  if (picture.kind === 'inks' || picture.kind === 'png' || picture.kind === 'page') return picture
  if (picture.kind === 'pixels' && picture.isGray) return picture
  const { width, height } = picture
  if (picture.kind === 'jpeg') {
    if (picture.channels !== 3) {
      const isSame = picture.icc !== undefined && isSameProfile(picture.icc, await readFile(profile))
      return isSame ? { ...picture, icc: undefined } : picture
    }
    const image = sharp(picture.bytes).withIccProfile(profile).toColourspace('cmyk')
    // At the quality of the source: more would only store its losses exactly.
    const quality = Math.min(95, Math.max(leastQuality, jpegQuality(picture.bytes)))
    const bytes = await image.jpeg({ quality, chromaSubsampling: '4:4:4' }).toBuffer()
    return { ...picture, bytes, channels: 4, icc: undefined }
  }
  const raw = { raw: { width, height, channels: 4 as const } }
  const inks = await separated(sharp(picture.rgba, raw), profile)
  const alpha = await sharp(picture.rgba, raw).extractChannel(3).raw().toBuffer()
  return { kind: 'inks', inks, alpha, width, height, ...(picture.isSoft && { isSoft: true }) }
}

/** Bytes of the header of a profile (ICC.1 §7.2), in which the intent and the flags of the program are. */
const profileHeader = 128

/** Whether both profiles are the same, apart from their headers. */
const isSameProfile = (one: Uint8Array, other: Uint8Array) =>
  Buffer.compare(one.subarray(profileHeader), other.subarray(profileHeader)) === 0

/** Side of the small copy on which the ink of a picture is measured, in pixels. */
const measuredSide = 400

/** Percent of all inks together, of the darkest hundredth of a picture on paper. */
export async function inkOfPicture(picture: Sharp, profile: string): Promise<number> {
  const small = picture
    .flatten({ background: '#ffffff' })
    .resize(measuredSide, measuredSide, { fit: 'inside' })
  const inks = await separated(small, profile)
  const sums = new Uint16Array(inks.length / 4)
  for (let i = 0; i < sums.length; i++)
    sums[i] = (inks[4 * i] ?? 0) + (inks[4 * i + 1] ?? 0) + (inks[4 * i + 2] ?? 0) + (inks[4 * i + 3] ?? 0)
  sums.sort()
  return Math.round(((sums[Math.floor(sums.length * 0.99)] ?? 0) / 255) * 100)
}
