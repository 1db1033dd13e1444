// What the tables of a font file say of it: its own style, its metrics, and whether its glyphs are plain outlines.
import type { Font } from 'fontkit'
import { Undrawable } from './refusal.ts'

export interface FontStyle {
  bold: boolean
  italic: boolean
}

/** Font files are untrusted; a font that crashes the reader counts as unreadable. */
export function guarded<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Undrawable) throw error
    throw unreadable()
  }
}

export const unreadable = () => new Undrawable('font', 'The font file cannot be read.')

export const tablesOf = (font: Font): Record<string, unknown> =>
  Object(Reflect.get(Object(Reflect.get(font, 'directory')), 'tables'))

/** Steps of the rules of a font for one text. Rules of real fonts take fewer than a thousand for each character. */
const maxSteps = (characters: number) => 100_000 + 5000 * characters

/**
 * Limits the rules for substitution and position. One that repeats what it replaces would run until no memory is left.
 * @returns to be called before a text is laid out, with its length; the layout throws Undrawable beyond its limit
 */
export function limitRules(font: Font): (characters: number) => void {
  const engine = Object(Reflect.get(Object(Reflect.get(font, '_layoutEngine')), 'engine'))
  let steps = 0
  for (const name of ['GSUBProcessor', 'GPOSProcessor']) {
    const processor = Object(engine[name])
    // Not its own, which is that of an earlier task with the same font.
    const apply: unknown = Object(Object.getPrototypeOf(processor)).applyLookup
    if (typeof apply !== 'function') continue
    processor.applyLookup = (...parameters: unknown[]) => {
      if (--steps < 0)
        throw new Undrawable('font', 'The rules of the font for its glyphs repeat themselves without end.')
      try {
        return apply.apply(processor, parameters)
      } catch (error) {
        // fontkit fails at a mark whose base has no anchor for it; browsers try the next rule.
        if (error instanceof TypeError && name === 'GPOSProcessor') return false
        throw error
      }
    }
  }
  return (characters) => {
    steps = maxSteps(characters)
  }
}

/** @throws Undrawable if the font cannot be drawn as a browser draws it */
export function assertPlain(font: Font): void {
  const tables = tablesOf(font)
  const colored = ['COLR', 'sbix', 'CBDT', 'SVG '].find((name) => tables[name] !== undefined)
  if (colored) throw new Undrawable('font', 'A font with colored glyphs cannot be drawn.')
}

/** Weight from which Chromium takes a font for bold. */
const boldWeight = 600

/**
 * The style that a font has by itself, read where Chromium reads it: OS/2 usWeightClass and fsSelection, else head macStyle.
 * @param weight of the instance of a variable font
 */
export function declaredStyle(font: Font, weight: number | undefined): FontStyle {
  const os2: unknown = Reflect.get(font, 'OS/2')
  if (!os2) {
    const { bold, italic } = Object(Object(Reflect.get(font, 'head')).macStyle)
    return { bold: bold === true, italic: italic === true }
  }
  const { usWeightClass, fsSelection } = Object(os2)
  const { italic, oblique } = Object(fsSelection)
  return { bold: (weight ?? usWeightClass) >= boldWeight, italic: italic === true || oblique === true }
}

/** From the middle of a line to its baseline, in em, by the typographic metrics of OS/2. */
export function middleOf(font: Font): number {
  const os2 = Object(Reflect.get(font, 'OS/2'))
  const [ascent, descent] = [
    Number(os2.typoAscender ?? font.ascent),
    Math.abs(Number(os2.typoDescender ?? font.descent)),
  ]
  return ascent + descent > 0 ? (ascent - descent) / 2 / (ascent + descent) : 0.25
}

/** Whether distances between letters depend on the axes of a variable font, which fontkit does not vary. */
export const hasVariableKerning = (font: Font): boolean =>
  Boolean(Object(Reflect.get(font, 'GDEF')).itemVariationStore && Reflect.get(font, 'GPOS'))

export function postscriptNameOf(font: Font): string {
  try {
    return String(font.postscriptName ?? '')
  } catch {
    // A name that cannot be decoded.
    return ''
  }
}
