// Reads the color library from its option; until it is saved, it is derived from four legacy settings.
import { membersOf } from '../core/foreign.ts'
import { readStoredJson } from '../db/stored-json.ts'
import { fromJson, parseExact } from '../json/parse.ts'

/** The option with the saved library. */
export const colorLibraryKey = 'svc_color_library'

/** Options from which the library is read or derived. */
export const colorLibraryKeys = [
  colorLibraryKey,
  'svc_hex_names',
  'svc_color_prices',
  'svc_color_lists',
  'svc_color_colorPickerPalette',
] as const

/** The version that this API reads and writes. */
export const libraryVersion = 2

export interface Color {
  id: string
  /** As `#rrggbb`. */
  hex: string
  name: string
  price?: number
}

/** Colors that a product offers together. */
export interface Palette {
  id: string
  name: string
  colorIds: string[]
}

/** The library as the API returns it; it may have further properties of later versions. */
export interface ColorLibrary {
  version: number
  colors: Color[]
  palettes: Palette[]
}

/** The library as it was read. */
export interface ReadLibrary {
  /** Whether the library was saved, so that the legacy settings no longer count. */
  persisted: boolean
  library: ColorLibrary
  /** Keys of options that cannot be read, whose colors or palettes are missing. */
  unreadable: string[]
}

type Options = ReadonlyMap<string, string>

/** The library in these options: the saved one, or the derived one. @param options values of `colorLibraryKeys` */
export function readColorLibrary(options: Options): ReadLibrary {
  const text = readStoredJson(options.get(colorLibraryKey) ?? null, '{}')
  const stored: unknown = text === undefined ? undefined : parseExact(text)
  const version = Number(propertyOf(stored, 'version'))
  if (version >= libraryVersion) {
    const library = {
      ...Object(stored),
      version,
      colors: arrayOf(propertyOf(stored, 'colors')),
      palettes: arrayOf(propertyOf(stored, 'palettes')),
    }
    return { persisted: true, library, unreadable: [] }
  }
  const lists = readStoredJson(options.get('svc_color_lists') ?? null, '{}')
  return {
    persisted: false,
    library: derivedLibrary(options, Object.entries(membersOf(lists === undefined ? {} : fromJson(lists)))),
    unreadable: [
      ...(text === undefined ? [colorLibraryKey] : []),
      ...(lists === undefined ? ['svc_color_lists'] : []),
    ],
  }
}

/** How many colors the library in these options has. */
export const colorCount = (options: Options): number => readColorLibrary(options).library.colors.length

/** A color in the form `#rrggbb`, which `#FA0`, `ffaa00` and `#FFAA00` have in common; undefined if it is not a color. */
export function normalHex(text: string): string | undefined {
  const hex = text.trim().replace(/^#/, '').toLowerCase()
  if (/^[0-9a-f]{3}$/.test(hex)) return `#${hex.replace(/./g, '$&$&')}`
  return /^[0-9a-f]{6}$/.test(hex) ? `#${hex}` : undefined
}

/** The colors of a string such as `#000,fff,`; skips anything else in it, such as the slug of a list. */
export const hexesOf = (text: string): string[] =>
  text
    .split(',')
    .map(normalHex)
    .filter((hex) => hex !== undefined)

/** The library of the legacy settings. @param lists the palettes in `svc_color_lists` */
function derivedLibrary(options: Options, lists: [slug: string, list: unknown][]): ColorLibrary {
  const names = pairsOf(options.get('svc_hex_names'))
  const prices = pairsOf(options.get('svc_color_prices'))
  const palettes = lists.map(([slug, list]) => ({ slug, list, hexes: hexesOf(textOf(list, 'colors')) }))
  const picker = hexesOf(options.get('svc_color_colorPickerPalette') ?? '')
  const hexes = new Set([
    ...names.keys(),
    ...prices.keys(),
    ...palettes.flatMap(({ hexes }) => hexes),
    ...picker,
  ])
  const usedIds = new Set<string>()
  return {
    version: libraryVersion,
    colors: [...hexes].map((hex) => ({
      id: colorId(hex),
      hex,
      name: names.get(hex) || hex,
      ...priceOf(prices.get(hex)),
    })),
    palettes: palettes.map(({ slug, list, hexes }) => ({
      id: paletteId(slug, usedIds),
      name: textOf(list, 'name').trim() || slug,
      colorIds: [...new Set(hexes.map(colorId))],
    })),
  }
}

const colorId = (hex: string) => `c-${hex.slice(1)}`

/** An unused id of a palette, made from its slug, which may contain any characters; adds it to `usedIds`. */
function paletteId(slug: string, usedIds: Set<string>): string {
  const baseId = `p-${slug.replace(/[^A-Za-z0-9_-]+/g, '-')}`.slice(0, 60)
  let id = baseId
  for (let number = 2; usedIds.has(id); number++) id = `${baseId}-${number}`
  usedIds.add(id)
  return id
}

/** Parses `000000:Black,#F00:Red`. The last of several names counts, as in PHP. Removes PHP's slashes before quotes. */
function pairsOf(stored: string | undefined): Map<string, string> {
  const pairs = new Map<string, string>()
  for (const pair of (stored ?? '').split(',')) {
    const [key = '', ...textParts] = pair.split(':')
    const hex = normalHex(key)
    const text = textParts.join(':').replace(/\\(['"\\])/g, '$1')
    if (hex) pairs.set(hex, text.trim() || (pairs.get(hex) ?? ''))
  }
  return pairs
}

function priceOf(text: string | undefined): { price?: number } {
  const price = Number(text)
  return text && Number.isFinite(price) && price >= 0 ? { price } : {}
}

const propertyOf = (value: unknown, name: string): unknown => membersOf(value)[name]

function textOf(value: unknown, name: string): string {
  const property = propertyOf(value, name)
  return Array.isArray(property) || typeof property === 'string' ? String(property) : ''
}

/** PHP writes a list with gaps as an object. */
const arrayOf = <T>(value: unknown): T[] =>
  typeof value === 'object' && value !== null ? (Object.values(value) as T[]) : []
