// Converts the colors of vectors for the press: by the output profile; black to black ink alone; spot colors to inks of their own.
// picture-for-press.ts converts pictures.
import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { blackRamp } from './black-ramp.ts'
import { black, hexOf } from './color.ts'
import { type Color, isGradient, type Mark, type Paint } from './marks.ts'
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

/** The colors of a file in the inks of its press; the opacity of a color does not matter. */
export interface PressColors {
  /** Percent of each ink; of a spot color those that stand in for its ink. Only for colors of the marks. */
  inks(color: Color): Inks
  /** The spot color with which a color is printed; undefined for other colors. */
  spot(color: Color): (SpotColor & { cmyk: Inks }) | undefined
}

/** Converts all colors of the marks at once, to write them (pdf-file.ts) or to check them (ink-warnings.ts). @throws Undrawable for a damaged profile */
export async function pressColors(
  marks: readonly Mark[],
  { profile, spots }: Pick<PressTask, 'profile' | 'spots'>,
): Promise<PressColors> {
  const used = colorsIn(marks)
  // At least one color, so that a damaged profile is noticed.
  const colors = new Map<string, Color>([['#000000', black]])
  for (const color of used) colors.set(hexOf(color), color)
  const table = new Map<string, Inks>()
  const list = [...colors.values()]
  const pixels = Buffer.from(list.flatMap(({ r, g, b }) => [r, g, b].map(Math.round)))
  const image = sharp(pixels, { raw: { width: list.length, height: 1, channels: 3 } })
  let isDamaged = false
  // For a damaged profile the codec only warns, and converts by one of its own.
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
  const spotsByHex = new Map(spots.map((spot) => [spot.hex.toLowerCase(), spot]))
  return {
    inks: (color) => spotsByHex.get(hexOf(color))?.cmyk ?? inks(color),
    spot(color) {
      const spot = spotsByHex.get(hexOf(color))
      return spot && { ...spot, cmyk: spot.cmyk ?? inks(color) }
    },
  }
}

const percent = (value: number) => Math.round((value / 255) * 1000) / 10

/** The colors of fills, lines, gradients and shadows, each as often as it is used. */
export function colorsIn(marks: readonly Mark[]): Color[] {
  const ofPaint = (paint: Paint | undefined): Color[] =>
    !paint ? [] : isGradient(paint) ? paint.stops.map(({ color }) => color) : [paint]
  return marks.flatMap((mark) => {
    if (mark.kind === 'group') return colorsIn(mark.marks)
    if (mark.kind === 'shadow') return [mark.color, ...colorsIn(mark.marks)]
    return mark.kind === 'picture' ? [] : [...ofPaint(mark.fill), ...ofPaint(mark.stroke?.paint)]
  })
}

/** Four inks from 0 to 255 for each pixel, without its transparency. @param profile path of the output profile */
export const separated = (image: Sharp, profile: string): Promise<Buffer> =>
  image.removeAlpha().withIccProfile(profile).toColourspace('cmyk').raw().toBuffer()
