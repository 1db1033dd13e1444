// Reads facts from the tables of a font: its style, its metrics, whether its glyphs are plain outlines; and limits its layout rules.
import type { Font } from 'fontkit'
import { Undrawable } from './refusal.ts'

/** A style of a font, declared or requested. */
export interface FontStyle {
  bold: boolean
  italic: boolean
}

/** Runs work on a font, whose file is untrusted: any error of fontkit becomes `cause`; an Undrawable stays. */
export function guarded<T>(work: () => T, cause: () => Undrawable = unreadable): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Undrawable) throw error
    throw cause()
  }
}

/** The error for a font that fontkit cannot read. */
export const unreadable = () => new Undrawable('font', 'The font file cannot be read.')

/** Rules of a font, as fontkit applies them. */
interface LayoutRules {
  applyLookup: (...parameters: unknown[]) => unknown
  glyphs?: unknown[]
}

/** Private members of fontkit's fonts, and tables that its types lack; undefined where the file has none. */
interface FontInternals {
  directory?: { tables?: Record<string, unknown> }
  _layoutEngine?: { engine?: { GSUBProcessor?: LayoutRules; GPOSProcessor?: LayoutRules } }
  /** fontkit's cache of glyphs, by their id. */
  _glyphs: object
  GDEF?: { itemVariationStore?: unknown }
  GSUB?: { scriptList?: { tag: string }[] }
  GPOS?: { scriptList?: { tag: string }[] }
  head?: { macStyle?: { bold?: boolean; italic?: boolean } }
  'OS/2'?: {
    usWeightClass: number
    fsSelection?: { italic?: boolean; oblique?: boolean }
    typoAscender?: number
    typoDescender?: number
  }
}

/** The font, with the members that fontkit does not declare. */
export const internalsOf = (font: Font) => font as unknown as FontInternals

/** The directory of the font: its entries by tag. */
export const tablesOf = (font: Font): Record<string, unknown> => internalsOf(font).directory?.tables ?? {}

/** Lookups to apply for one text. Rules of real fonts apply fewer than a thousand for each character. */
const maxSteps = (characters: number) => 100_000 + 5000 * characters
/** Glyphs of one text. Rules of real fonts make a handful of one character. */
const maxGlyphs = (characters: number) => 1000 + 64 * characters

/**
 * Limits the rules of a font for substitution and position (OpenType GSUB and GPOS). A rule whose result it matches again would run
 * until no memory is left. Wraps fontkit's private `applyLookup`.
 * @returns a function to call before a text is laid out, with its length; beyond the limit the layout throws Undrawable
 */
export function limitRules(font: Font): (characters: number) => void {
  const engine = internalsOf(font)._layoutEngine?.engine
  let steps = 0
  let glyphs = 0
  for (const name of ['GSUBProcessor', 'GPOSProcessor'] as const) {
    const processor = engine?.[name]
    if (!processor) continue
    // The method of the class: an earlier task with the same font may have wrapped the one of the object.
    const { applyLookup: apply }: LayoutRules = Object.getPrototypeOf(processor)
    processor.applyLookup = (...parameters) => {
      if (--steps < 0 || (processor.glyphs?.length ?? 0) > glyphs)
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
    glyphs = maxGlyphs(characters)
  }
}

/** Throws Undrawable for a font with colored glyphs, of which only emoji are drawn. */
export function assertPlain(font: Font): void {
  const tables = tablesOf(font)
  const colored = ['COLR', 'sbix', 'CBDT', 'SVG '].find((name) => tables[name] !== undefined)
  if (colored) throw new Undrawable('font', 'A font with colored glyphs cannot be drawn.')
}

/** The weight from which Chromium regards a font as bold. */
const boldWeight = 600

/**
 * The style that a font has by itself, read where Chromium reads it: OS/2 usWeightClass and fsSelection, else head macStyle.
 * @param weight of the instance of a variable font
 */
export function declaredStyle(font: Font, weight: number | undefined): FontStyle {
  const { 'OS/2': os2, head } = internalsOf(font)
  if (!os2) return { bold: head?.macStyle?.bold === true, italic: head?.macStyle?.italic === true }
  const { usWeightClass, fsSelection: { italic, oblique } = {} } = os2
  return { bold: (weight ?? usWeightClass) >= boldWeight, italic: italic === true || oblique === true }
}

/** From the middle of a line to its baseline, in em downwards, by the typographic metrics of OS/2, else by those of the font. */
export function middleOf(font: Font): number {
  const os2 = internalsOf(font)['OS/2']
  const ascent = Number(os2?.typoAscender ?? font.ascent)
  const descent = Math.abs(Number(os2?.typoDescender ?? font.descent))
  return ascent + descent > 0 ? (ascent - descent) / 2 / (ascent + descent) : 0.25
}

/** Whether the distances between letters may change with the axes of a variable font, which fontkit does not apply. */
export const hasVariableKerning = (font: Font): boolean =>
  Boolean(internalsOf(font).GDEF?.itemVariationStore && internalsOf(font).GPOS)

/** The PostScript name in the file; empty if there is none. */
export function postscriptNameOf(font: Font): string {
  try {
    return String(font.postscriptName ?? '')
  } catch {
    // fontkit cannot decode the name.
    return ''
  }
}
