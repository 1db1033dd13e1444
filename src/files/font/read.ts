// Reads all of a font with fontkit, as the renderer does later. Runs in a child process: the font is untrusted, and reading it
// may take any time.

import { create, type Font } from 'fontkit'
import { membersOf } from '../../core/foreign.ts'
import { FileRejected } from '../rejected.ts'
import { withSymbolCharacters } from './symbols.ts'

/**
 * Outlines to read for each glyph on average, beyond the first 10,000. Composite glyphs consist of others, which multiplies the
 * outlines to read; real fonts have up to 4.
 */
const partsPerGlyph = 16
/** Maximum numbers to read in a table; its parts may overlap, so that a small table could take hours to read. */
const maxNumbers = 10_000_000

/**
 * Reads the font as the renderer would. Throws FileRejected unless every glyph and character can be read.
 * @param required tables that are checked already
 * @returns the tags of other tables that cannot be read
 */
export function unreadableTables(bytes: Buffer, required: readonly string[]): string[] {
  const file = reading('characters', () => Buffer.from(withSymbolCharacters(bytes)))
  const font = reading('tables', () => create(file) as Font)
  limitGlyphs(font)
  for (let glyph = 0; glyph < font.numGlyphs; glyph++) {
    reading('outlines', () => font.getGlyph(glyph).path)
    // fontkit's cache of glyphs (a private field) would take many times the memory of the file.
    Reflect.set(font, '_glyphs', {})
  }
  reading('characters', () => font.characterSet.map((character) => font.glyphForCodePoint(character).id))
  let remaining = maxNumbers
  const readAll = (value: unknown): void => {
    if (--remaining < 0) throw new Error('The tables are too large.')
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
    // fontkit reads these lists lazily.
    const parts =
      'toArray' in value && typeof value.toArray === 'function' ? value.toArray() : Object.values(value)
    for (const part of parts) readAll(part)
  }
  return Object.keys(membersOf(membersOf(membersOf(font).directory).tables)).filter((tag) => {
    if (required.includes(tag) || !Object.hasOwn(font, tag)) return false
    try {
      const table = membersOf(font)[tag]
      readAll(table)
      return table === undefined
    } catch {
      return true
    }
  })
}

/** Wraps the font's `getGlyph`, which composite glyphs call for their parts, so that it throws when it is called too often. */
function limitGlyphs(font: Font): void {
  const getGlyph = font.getGlyph.bind(font)
  let parts = 0
  font.getGlyph = (glyph, characters) => {
    assertFont(glyph < font.numGlyphs, 'it refers to a missing glyph')
    assertFont(++parts <= 10_000 + partsPerGlyph * font.numGlyphs, 'its outlines have too many parts')
    return getGlyph(glyph, characters)
  }
}

/** Reads a part of the font, and turns an error of fontkit into FileRejected. @param what names the part, in the plural */
function reading<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof FileRejected) throw error
    const message = `The font cannot be read: its ${what} are damaged or of an unknown kind.`
    throw new FileRejected(message, undefined, { cause: error })
  }
}

/** Throws FileRejected unless the part is valid. `problem` completes the sentence "The font is damaged: …". */
export function assertFont(valid: boolean, problem: string): asserts valid {
  if (!valid) throw new FileRejected(`The font is damaged: ${problem}.`)
}
