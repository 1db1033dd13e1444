// Reads and changes the color library as JSON text, off the main thread if it is large.
import { SvcError } from '../errors.ts'
import { parseExact } from '../json/exact.ts'
import { JsonText, type JsonTextParts } from '../json-text.ts'
import { JsonArgument, type JsonBytes, type JsonPart, joined } from '../large-json/bytes.ts'
import { extentOf, textOf } from '../large-json/scan.ts'
import { largeFrom, offThread } from '../off-thread/off-thread.ts'
import { type Color, type ColorLibrary, type Palette, readColorLibrary } from './color-library.ts'
import { checkLibrary } from './color-library-check.ts'

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

type Next = { errors: string[] } | { errors?: never; parts: JsonTextParts }

const isLarge = (rows: Rows, body: string | Uint8Array = '') =>
  body.length + Object.values(rows).reduce((sum, row) => sum + row.length, 0) >= largeFrom

/** @param selected names of properties; default all */
export const serializedLibrary = async (
  rows: Rows,
  selected?: readonly string[],
): Promise<SerializedLibrary> =>
  isLarge(rows)
    ? offThread(import.meta.url, 'serializeLibrary', rows, selected)
    : serializeLibrary(rows, selected)

export const libraryItem = async (rows: Rows, type: 'color' | 'palette', id: string): Promise<LibraryItem> =>
  isLarge(rows)
    ? offThread(import.meta.url, 'findLibraryItem', rows, type, id)
    : findLibraryItem(rows, type, id)

/** Number of colors. */
export const countColors = async (rows: Rows): Promise<number> =>
  isLarge(rows) ? offThread(import.meta.url, 'countLibraryColors', rows) : countLibraryColors(rows)

/**
 * The library after a PUT, or all problems of the body. Unknown stored properties are kept if the body does not contain
 * them.
 */
export async function replacedLibrary(
  rows: Rows,
  body: Record<string, unknown>,
): Promise<{ errors: string[]; library?: never } | { errors?: never; library: JsonText }> {
  const properties = Object.entries(body).flatMap(([name, value], at): JsonPart[] => [
    `${at === 0 ? '' : ','}${JSON.stringify(name)}:`,
    value instanceof JsonText ? value : JSON.stringify(value),
  ])
  const json = joined(['{', ...properties, '}'])
  const sent = new JsonArgument(json)
  const next: Next = isLarge(rows, json)
    ? await offThread(import.meta.url, 'replaceLibrary', rows, sent)
    : replaceLibrary(rows, sent.bytes)
  return next.errors ? next : { library: new JsonText(next.parts) }
}

/** Maximum number of values in a library that is saved, which is parsed as a whole. */
const maxValues = 400_000

const libraryOf = (rows: Rows) => readColorLibrary(new Map(Object.entries(rows)))

// The following functions run on either thread.

export function serializeLibrary(rows: Rows, selected?: readonly string[]): SerializedLibrary {
  const { library, persisted, unreadable } = libraryOf(rows)
  const shown = selected
    ? Object.fromEntries(Object.entries(library).filter(([name]) => selected.includes(name)))
    : library
  return { persisted, version: library.version, unreadable, text: JSON.stringify(shown) }
}

export const countLibraryColors = (rows: Rows): number => libraryOf(rows).library.colors.length

export function findLibraryItem(rows: Rows, type: 'color' | 'palette', id: string): LibraryItem {
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

export function replaceLibrary(rows: Rows, { json }: JsonBytes): Next {
  if (extentOf(json).values > maxValues) {
    throw new SvcError('svc_body_too_large', {
      message: `The library contains more than ${maxValues.toLocaleString('en')} values.`,
    })
  }
  const current = libraryOf(rows)
  const { library, errors } = checkLibrary(
    parseExact(textOf(json)) as Record<string, unknown>,
    current.library.version,
  )
  if (!library) return { errors }
  const next = current.persisted ? withUnknownProperties(library, current.library) : library
  return { parts: JsonText.parts(JSON.stringify(next)) }
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
