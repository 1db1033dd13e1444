// The color library: as it was saved, or derived from the four older settings until then.
import { readStoredJson } from '../db/stored-json.ts'
import { parseExact } from '../json.ts'

export const colorLibraryKey = 'svc_color_library'

/** Option rows that the library may have to be made of. */
export const colorLibraryKeys = [
  colorLibraryKey,
  'svc_hex_names',
  'svc_color_prices',
  'svc_color_lists',
  'svc_color_colorPickerPalette',
] as const

/** The form of the library that we read and write. */
export const libraryVersion = 2

export interface Color {
  id: string
  hex: string
  name: string
  price?: number
}

export interface Palette {
  id: string
  name: string
  colorIds: string[]
}

/** With whatever else a newer version stored in it. */
export interface ColorLibrary {
  version: number
  colors: Color[]
  palettes: Palette[]
}

export interface ReadLibrary {
  /** Whether the library was saved, so that the older settings no longer count. */
  persisted: boolean
  library: ColorLibrary
  /** Rows whose texts cannot be read; what they would have added is missing. */
  unreadable: string[]
}

type Options = ReadonlyMap<string, string>

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
  const { lists, unreadable } = colorLists(options.get('svc_color_lists'))
  return {
    persisted: false,
    library: derive(options, lists),
    unreadable: [...(text === undefined ? [colorLibraryKey] : []), ...unreadable],
  }
}

/** `#FA0`, `ffaa00` and `#FFAA00` are `#ffaa00`; undefined for what is no color. */
export function normalHex(text: string): string | undefined {
  const hex = text.trim().replace(/^#/, '').toLowerCase()
  if (/^[0-9a-f]{3}$/.test(hex)) return `#${hex.replace(/./g, '$&$&')}`
  return /^[0-9a-f]{6}$/.test(hex) ? `#${hex}` : undefined
}

/** The colors of a text such as `#000,fff,`; anything else in it, such as the slug of a list, is passed over. */
export const hexesOf = (text: string): string[] =>
  text
    .split(',')
    .map(normalHex)
    .filter((hex) => hex !== undefined)

function derive(options: Options, lists: [slug: string, list: unknown][]): ColorLibrary {
  const names = pairsOf(options.get('svc_hex_names'))
  const prices = pairsOf(options.get('svc_color_prices'))
  const palettes = lists.map(([slug, list]) => ({ slug, list, hexes: hexesOf(textOf(list, 'colors')) }))
  const picker = hexesOf(options.get('svc_color_colorPickerPalette') ?? '')
  const all = new Set([
    ...names.keys(),
    ...prices.keys(),
    ...palettes.flatMap(({ hexes }) => hexes),
    ...picker,
  ])
  const taken = new Set<string>()
  return {
    version: libraryVersion,
    colors: [...all].map((hex) => ({
      id: colorId(hex),
      hex,
      name: names.get(hex) || hex,
      ...priceOf(prices.get(hex)),
    })),
    palettes: palettes.map(({ slug, list, hexes }) => ({
      id: paletteId(slug, taken),
      name: textOf(list, 'name').trim() || slug,
      colorIds: [...new Set(hexes.map(colorId))],
    })),
  }
}

const colorId = (hex: string) => `c-${hex.slice(1)}`

/** Slugs may hold any letters, ids may not. */
function paletteId(slug: string, taken: Set<string>): string {
  const plain = `p-${slug.replace(/[^A-Za-z0-9_-]+/g, '-')}`.slice(0, 60)
  let id = plain
  for (let number = 2; taken.has(id); number++) id = `${plain}-${number}`
  taken.add(id)
  return id
}

/** `000000:Black,#F00:Red`: of one color named twice the last counts, as in PHP. PHP's slashes before quotes go. */
function pairsOf(stored: string | undefined): Map<string, string> {
  const pairs = new Map<string, string>()
  for (const pair of (stored ?? '').split(',')) {
    const [key = '', ...rest] = pair.split(':')
    const hex = normalHex(key)
    if (hex)
      pairs.set(
        hex,
        rest
          .join(':')
          .replace(/\\(['"\\])/g, '$1')
          .trim() ||
          (pairs.get(hex) ?? ''),
      )
  }
  return pairs
}

function priceOf(text: string | undefined): { price?: number } {
  const price = Number(text)
  return text && Number.isFinite(price) && price >= 0 ? { price } : {}
}

function colorLists(stored: string | undefined): {
  lists: [slug: string, list: unknown][]
  unreadable: string[]
} {
  const text = readStoredJson(stored ?? null, '{}')
  if (text === undefined) return { lists: [], unreadable: ['svc_color_lists'] }
  return { lists: Object.entries(Object(JSON.parse(text))), unreadable: [] }
}

const propertyOf = (value: unknown, name: string): unknown => Reflect.get(Object(value), name)

function textOf(value: unknown, name: string): string {
  const property = propertyOf(value, name)
  return Array.isArray(property) || typeof property === 'string' ? String(property) : ''
}

/** PHP writes a list with gaps as an object. */
const arrayOf = <T>(value: unknown): T[] =>
  typeof value === 'object' && value !== null ? (Object.values(value) as T[]) : []
