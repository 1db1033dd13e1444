// Reads and changes the color library as JSON text.

import { checkLibrary } from './colors-check.ts'
import { type Color, type ColorLibrary, type Palette, readColorLibrary } from './stored-colors.ts'

/** Option rows by key. */
export type Rows = Readonly<Record<string, string>>

/** The library as JSON text. */
export interface SerializedLibrary {
  persisted: boolean
  version: number
  /** Keys of rows that cannot be read. */
  unreadable: string[]
  /** JSON text of the selected properties. */
  text: string
}

/** One color or palette. */
export interface LibraryItem {
  color: Color | undefined
  palette: Palette | undefined
  /** Palettes that contain the color. */
  palettes: { id: string; name: string }[]
}

const libraryOf = (rows: Rows) => readColorLibrary(new Map(Object.entries(rows)))

/** @param selected names of properties; default all */
export function serializedLibrary(rows: Rows, selected?: readonly string[]): SerializedLibrary {
  const { library, persisted, unreadable } = libraryOf(rows)
  const shown = selected
    ? Object.fromEntries(Object.entries(library).filter(([name]) => selected.includes(name)))
    : library
  return { persisted, version: library.version, unreadable, text: JSON.stringify(shown) }
}

/** Number of colors. */
export const countColors = (rows: Rows): number => libraryOf(rows).library.colors.length

export function libraryItem(rows: Rows, type: 'color' | 'palette', id: string): LibraryItem {
  const { colors, palettes } = libraryOf(rows).library
  const color = type === 'color' ? colors.find((one) => one?.id === id) : undefined
  return {
    color,
    palette: type === 'palette' ? palettes.find((one) => one?.id === id) : undefined,
    palettes: palettes
      .filter((palette) => color && Object(palette).colorIds?.includes?.(id))
      .map((palette) => ({ id: String(palette.id), name: String(palette.name) })),
  }
}

/**
 * The library after a PUT, or all problems of the body. Unknown stored properties are kept if the body does not contain
 * them.
 */
export function replacedLibrary(
  rows: Rows,
  body: Record<string, unknown>,
): { errors: string[]; library?: never } | { errors?: never; library: ColorLibrary } {
  const current = libraryOf(rows)
  const { library, errors } = checkLibrary(body, current.library.version)
  if (!library) return { errors }
  return { library: current.persisted ? withUnknownProperties(library, current.library) : library }
}

const knownProperties = new Set(['price'])

/** Keeps unknown stored properties of the library, and of each color and palette that remains. */
function withUnknownProperties(library: ColorLibrary, stored: ColorLibrary): ColorLibrary {
  return {
    ...stored,
    ...library,
    colors: continued(library.colors, stored.colors),
    palettes: continued(library.palettes, stored.palettes),
    version: Math.max(library.version, stored.version),
  }
}

function continued<T extends { id: string }>(items: T[], stored: T[]): T[] {
  const before = new Map(stored.map((item) => [Object(item).id, item]))
  return items.map((item) => {
    const others = Object.entries(Object(before.get(item.id))).filter(
      ([name]) => !knownProperties.has(name) && !Object.hasOwn(item, name),
    )
    // After the sent properties, so that what was read and sent back has the same text.
    return { ...item, ...Object.fromEntries(others) }
  })
}
