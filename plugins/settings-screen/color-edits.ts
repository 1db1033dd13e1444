// Functions that return a changed copy of the color library, for the forms of its pages. Entries are named by their position, which
// is safe because a form is saved only if the library is still the one that its page showed. Saving validates the result.
import { SvcError } from '../../src/core/errors.ts'
import { membersOf } from '../../src/core/foreign.ts'
import { type Color, type ColorLibrary, normalHex, type Palette } from '../../src/library/stored-colors.ts'

/** A color as texts, as its form contains it. */
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

/** The form of a new color. */
export const emptyColor: ColorDraft = { name: '', hex: '', price: '', spot: '', cmyk: '' }

/** The error for a color or palette that does not exist (any more). */
const noEntry = () => new SvcError('rest_no_route', { message: 'There is no such color or palette.' })

/** The entry at a position. @throws SvcError 404 */
export function entryAt<T>(list: readonly T[], position: number): T {
  const entry = list[position]
  if (entry === undefined) throw noEntry()
  return entry
}

/** The position of the entry with this id. @throws SvcError 404 */
export function positionOf(list: readonly object[], id: string): number {
  const position = list.findIndex((entry) => String(membersOf(entry).id) === id)
  if (position < 0) throw noEntry()
  return position
}

/** @throws SvcError 400 unless the box was ticked that confirms a removal */
export function assertConfirmed(isConfirmed: boolean): void {
  if (!isConfirmed)
    throw new SvcError('rest_invalid_param', { message: 'Tick the box to confirm the deletion.' })
}

/** The list with the entry moved; unchanged at its ends. @param offset -1 for one place up, 1 for one place down */
export function moved<T>(list: readonly T[], position: number, offset: number): T[] {
  const entry = entryAt(list, position)
  const remaining = list.toSpliced(position, 1)
  return remaining.toSpliced(Math.min(Math.max(0, position + offset), remaining.length), 0, entry)
}

/** The entered number; another text is returned as it is, for the validation of the library to refuse. */
const numberIn = (text: string): unknown => {
  const value = Number(text.replace(',', '.'))
  return Number.isFinite(value) ? value : text
}

const inksIn = (text: string) => text.split(/[,;\s]+/).filter((ink) => ink !== '')

const hexIn = (text: string) => normalHex(text) ?? text

/**
 * The properties of a color. An empty spot color or list of inks is sent if one is stored, because the library keeps properties that
 * are not sent.
 */
function colorProperties({ name, hex, price, spot, cmyk }: ColorDraft, stored: object): object {
  const inks = inksIn(cmyk)
  return {
    name: name.trim(),
    hex: hexIn(hex),
    ...(price.trim() !== '' && { price: numberIn(price.trim()) }),
    ...((spot.trim() !== '' || 'spot' in stored) && { spot: spot.trim() }),
    ...((inks.length > 0 || 'cmyk' in stored) && { cmyk: inks.map(numberIn) }),
  }
}

/** The labels of the fields of a color. */
export const colorLabels: Readonly<Record<keyof ColorDraft, string>> = {
  name: 'Name',
  hex: 'Color on screen',
  price: 'Price',
  spot: 'Spot color',
  cmyk: 'CMYK where the spot ink is missing (optional)',
}

/** What is wrong with the color on screen and the inks, by field; the library validates the other fields. */
export function colorProblems({ hex, cmyk }: ColorDraft): Partial<Record<keyof ColorDraft, string>> {
  const inks = inksIn(cmyk)
  const isSound = inks.every((ink) => /^\d{1,3}(?:\.\d+)?$/.test(ink) && Number(ink) <= 100)
  const hasInks = inks.length === 0 || (inks.length === 4 && isSound)
  return {
    ...(normalHex(hex) === undefined && { hex: 'must be "#rgb" or "#rrggbb"' }),
    ...(!hasInks && {
      cmyk: 'must be four percentages from 0 to 100: cyan, magenta, yellow and black',
    }),
  }
}

/** @throws SvcError 400 with all problems of the color on screen and the inks */
function assertColor(draft: ColorDraft): void {
  const problems = Object.entries(colorProblems(draft)) as [keyof ColorDraft, string][]
  if (problems.length === 0) return
  throw new SvcError('rest_invalid_param', {
    message: 'Please correct:',
    errors: problems.map(([field, problem]) => `${colorLabels[field]} ${problem}.`),
  })
}

/** An id that no entry has: the proposed one, with a number behind it if necessary. */
function freeId(proposed: string, list: readonly { id: string }[]): string {
  const usedIds = new Set(list.map((entry) => membersOf(entry).id))
  const base = proposed.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 56)
  let id = base
  for (let number = 2; usedIds.has(id); number++) id = `${base}-${number}`
  return id
}

/** Adds a color. @throws SvcError 400 for an invalid color on screen or invalid inks */
export function withColor(library: ColorLibrary, draft: ColorDraft): ColorLibrary {
  assertColor(draft)
  const id = freeId(`c-${hexIn(draft.hex).slice(1)}`, library.colors)
  // The types of its properties are checked where the library is saved.
  return { ...library, colors: [...library.colors, { id, ...colorProperties(draft, {}) } as Color] }
}

/** Changes a color. Properties that the form does not have stay. @throws SvcError 400 for an invalid color on screen or invalid inks, 404 */
export function withChangedColor(library: ColorLibrary, position: number, draft: ColorDraft): ColorLibrary {
  assertColor(draft)
  const { price: _, ...stored } = entryAt(library.colors, position)
  // An empty price removes the stored one.
  return {
    ...library,
    colors: library.colors.with(position, { ...stored, ...colorProperties(draft, stored) } as Color),
  }
}

/** Removes a color, also from all palettes. @throws SvcError 404 */
export function withoutColor(library: ColorLibrary, position: number): ColorLibrary {
  const { id } = entryAt(library.colors, position)
  return {
    ...library,
    colors: library.colors.toSpliced(position, 1),
    palettes: library.palettes.map((palette) => ({
      ...palette,
      colorIds: colorIdsOf(palette).filter((colorId) => colorId !== id),
    })),
  }
}

/** The ids of its colors. Other programs may have stored something else; then there are none. */
export function colorIdsOf(palette: Palette): string[] {
  const ids: unknown = membersOf(palette).colorIds
  return Array.isArray(ids) ? ids : []
}

/** Adds an empty palette. */
export function withPalette(library: ColorLibrary, name: string): ColorLibrary {
  const id = freeId(`p-${name.trim().toLowerCase()}`, library.palettes)
  return { ...library, palettes: [...library.palettes, { id, name: name.trim(), colorIds: [] }] }
}

/** Changes the name of a palette, or the list of its colors. @throws SvcError 404 */
export function withChangedPalette(
  library: ColorLibrary,
  position: number,
  change: Partial<Pick<Palette, 'name' | 'colorIds'>>,
): ColorLibrary {
  const palette = entryAt(library.palettes, position)
  return { ...library, palettes: library.palettes.with(position, { ...palette, ...change }) }
}
