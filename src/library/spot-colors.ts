// Colors of the library that are printed with an ink of their own: `spot` is its name, `cmyk` what is printed without it.
import { numberOf } from '../json/exact.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import { colorLibraryKeys, normalHex, readColorLibrary } from './stored-colors.ts'

export interface SpotColor {
  /** As `#rrggbb`. */
  hex: string
  name: string
  /** Percent of cyan, magenta, yellow and black. */
  cmyk?: readonly [number, number, number, number]
}

const maxName = 80

export async function spotColors(options: OptionsStore): Promise<SpotColor[]> {
  const { library } = readColorLibrary(await options.getMany(colorLibraryKeys))
  return library.colors.flatMap((color) => spotOf(Object(color)))
}

/** Others may have stored anything. */
function spotOf({ hex, spot, cmyk }: Record<string, unknown>): SpotColor[] {
  const normal = typeof hex === 'string' ? normalHex(hex) : undefined
  if (normal === undefined || typeof spot !== 'string' || spot.trim() === '') return []
  const [c = -1, m = -1, y = -1, k = -1] = Array.isArray(cmyk) ? cmyk.map((ink) => numberOf(ink) ?? -1) : []
  const isSound = [c, m, y, k].every((ink) => ink >= 0 && ink <= 100)
  return [
    { hex: normal, name: spot.trim().slice(0, maxName), ...(isSound && { cmyk: [c, m, y, k] as const }) },
  ]
}
