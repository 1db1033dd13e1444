// What the buttons of the color pages change in the library. Places in lists are positions: a form is saved only if the library is
// still the one that its page showed. Whether the result is valid is decided where it is saved.
import { SvcError } from '../../src/core/errors.ts'
import { type Color, type ColorLibrary, normalHex, type Palette } from '../../src/library/stored-colors.ts'

/** A color as a form has it. */
export interface ColorDraft {
  name: string
  hex: string
  /** Empty for no price. */
  price: string
  /** Name of the ink that prints it; empty if it is mixed. */
  spot: string
  /** Percent of cyan, magenta, yellow and black, such as `0, 90, 80, 5`. */
  cmyk: string
}

export const emptyColor: ColorDraft = { name: '', hex: '', price: '', spot: '', cmyk: '' }

export const noEntry = () => new SvcError('rest_no_route', { message: 'There is no such color or palette.' })

/** The entry at a position. @throws SvcError 404 */
export function entryAt<T>(list: readonly T[], at: number): T {
  const entry = list[at]
  if (entry === undefined) throw noEntry()
  return entry
}

/** The list with one entry a place further up or down; unchanged at its ends. */
export function moved<T>(list: readonly T[], at: number, by: number): T[] {
  const entry = entryAt(list, at)
  const others = list.toSpliced(at, 1)
  return others.toSpliced(Math.min(Math.max(0, at + by), others.length), 0, entry)
}

/** What was entered for a number; text that is none is left to the validation of the library. */
const numberIn = (text: string): unknown => {
  const value = Number(text.replace(',', '.'))
  return Number.isFinite(value) ? value : text
}

const inksIn = (text: string) => text.split(/[,;\s]+/).filter((ink) => ink !== '')

const hexIn = (text: string) => normalHex(text) ?? text

/** The properties of a color. An empty ink replaces a stored one, because the library keeps properties that are not sent. */
function colorOf({ name, hex, price, spot, cmyk }: ColorDraft, stored: object): object {
  const inks = inksIn(cmyk)
  return {
    name: name.trim(),
    hex: hexIn(hex),
    ...(price.trim() !== '' && { price: numberIn(price.trim()) }),
    ...((spot.trim() !== '' || 'spot' in stored) && { spot: spot.trim() }),
    ...((inks.length > 0 || 'cmyk' in stored) && { cmyk: inks.map(numberIn) }),
  }
}

/** @throws SvcError 400 for inks that no printer could mix: the library itself accepts any property */
function assertInks({ cmyk }: ColorDraft): void {
  const inks = inksIn(cmyk)
  const isSound = inks.every((ink) => /^\d{1,3}(?:\.\d+)?$/.test(ink) && Number(ink) <= 100)
  if (inks.length === 0 || (inks.length === 4 && isSound)) return
  throw new SvcError('rest_invalid_param', {
    message: 'The inks must be four percentages from 0 to 100: cyan, magenta, yellow and black.',
  })
}

/** An id that no entry has. */
function freeId(wanted: string, list: readonly { id: string }[]): string {
  const taken = new Set(list.map((entry) => Object(entry).id))
  const plain = wanted.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 56)
  let id = plain
  for (let number = 2; taken.has(id); number++) id = `${plain}-${number}`
  return id
}

export function withColor(library: ColorLibrary, draft: ColorDraft): ColorLibrary {
  assertInks(draft)
  const id = freeId(`c-${hexIn(draft.hex).slice(1)}`, library.colors)
  return { ...library, colors: [...library.colors, { id, ...colorOf(draft, {}) } as Color] }
}

export function withChangedColor(library: ColorLibrary, at: number, draft: ColorDraft): ColorLibrary {
  assertInks(draft)
  const { price: _, ...stored } = entryAt(library.colors, at)
  return { ...library, colors: library.colors.with(at, { ...stored, ...colorOf(draft, stored) } as Color) }
}

/** Its palettes lose the color, too. */
export function withoutColor(library: ColorLibrary, at: number): ColorLibrary {
  const { id } = entryAt(library.colors, at)
  return {
    ...library,
    colors: library.colors.toSpliced(at, 1),
    palettes: library.palettes.map((palette) => ({
      ...palette,
      colorIds: colorIdsOf(palette).filter((colorId) => colorId !== id),
    })),
  }
}

/** Programs of others may have stored anything. */
export function colorIdsOf(palette: Palette): string[] {
  const ids: unknown = Object(palette).colorIds
  return Array.isArray(ids) ? ids : []
}

export function withPalette(library: ColorLibrary, name: string): ColorLibrary {
  const id = freeId(`p-${name.trim().toLowerCase()}`, library.palettes)
  return { ...library, palettes: [...library.palettes, { id, name: name.trim(), colorIds: [] }] }
}

export function withChangedPalette(
  library: ColorLibrary,
  at: number,
  change: Partial<Pick<Palette, 'name' | 'colorIds'>>,
): ColorLibrary {
  const palette = entryAt(library.palettes, at)
  return { ...library, palettes: library.palettes.with(at, { ...palette, ...change }) }
}
