// The spot colors of the color library, for print files.
import { membersOf } from '../core/foreign.ts'
import { numberOf } from '../json/parse.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import { colorLibraryKeys, normalHex, readColorLibrary } from './stored-colors.ts'

/** A color that is printed with a special ink. In the library, such a color has the property `spot` with the name of the ink. */
export interface SpotColor {
  /** As `#rrggbb`. */
  hex: string
  name: string
  /** Percent of cyan, magenta, yellow and black, which are printed without that ink. */
  cmyk?: readonly [number, number, number, number]
}

/** Characters of the name of an ink. */
const maxName = 80

/** The colors of the library that have an ink; none if it cannot be read. */
export async function spotColors(options: OptionsStore): Promise<SpotColor[]> {
  const { library } = readColorLibrary(await options.getMany(colorLibraryKeys))
  return library.colors.flatMap((color) => spotOf(membersOf(color)))
}

/** The spot color of an entry of the library, in which other software may have stored any values; none if it has no ink. */
function spotOf({ hex, spot, cmyk }: Record<string, unknown>): SpotColor[] {
  const normal = typeof hex === 'string' ? normalHex(hex) : undefined
  if (normal === undefined || typeof spot !== 'string' || spot.trim() === '') return []
  const [c = -1, m = -1, y = -1, k = -1] = Array.isArray(cmyk) ? cmyk.map((ink) => numberOf(ink) ?? -1) : []
  const isSound = [c, m, y, k].every((ink) => ink >= 0 && ink <= 100)
  return [
    { hex: normal, name: spot.trim().slice(0, maxName), ...(isSound && { cmyk: [c, m, y, k] as const }) },
  ]
}
