// Narrows brackets, commas and full stops of Chinese and Japanese that follow each other, as browsers do: each character fills half
// of its square, and the other half is dropped (CSS Text 4 §8.4, `text-spacing-trim`).
import type { Font, Glyph } from 'fontkit'

type Kind = 'open' | 'close' | 'middle' | undefined

const open = /[\u3008\u300a\u300c\u300e\u3010\u3014\u3016\u3018\u301a\u301d\uff08\uff3b\uff5b\uff5f]/
const close = /[\u3009\u300b\u300d\u300f\u3011\u3015\u3017\u3019\u301b\u301e\u301f\uff09\uff3d\uff5d\uff60]/
/** Stops, which fonts draw at the left of the square or in its middle, depending on the country. */
const dot = /[\u3001\u3002\uff0c\uff0e\uff1a\uff1b]/
const middle = /[\u3000\u30fb]/

/** Whether a text may have such characters beside each other; the caller then lays it out with `hanSpacing`. */
export const hasHanPunctuation = (text: string) => /[\u3000-\u301f\u30fb\uff00-\uff60]{2}/.test(text)

/** Advance and offset of the glyphs that lose half of their width, by their index. */
export function hanSpacing(font: Font, glyphs: readonly Glyph[]): Map<number, Halved> {
  const kinds = glyphs.map((glyph) => kindOf(glyph, font.unitsPerEm))
  const halvedGlyphs = new Map<number, Halved>()
  for (const [index, kind] of kinds.entries()) {
    const [previous, next] = [kinds[index - 1], kinds[index + 1]]
    const isHalved =
      (kind === 'open' && previous !== undefined) ||
      (kind === 'close' && (next === 'close' || next === 'middle'))
    const halved = isHalved ? halvedOf(font, glyphs[index]) : undefined
    if (halved) halvedGlyphs.set(index, halved)
  }
  return halvedGlyphs
}

/** The position of a glyph of half width, in units of the font. */
export interface Halved {
  xAdvance: number
  xOffset: number
}

/** The half width by the font's feature `halt`; undefined if it has none. */
function halvedOf(font: Font, glyph: Glyph | undefined): Halved | undefined {
  if (!glyph || !font.availableFeatures.includes('halt')) return undefined
  const [position] = font.layout(String.fromCodePoint(...glyph.codePoints), ['halt']).positions
  return position && { xAdvance: position.xAdvance, xOffset: position.xOffset }
}

/**
 * Where the glyph leaves its square free: an opening character before it, a closing one behind it, a middle one on both sides; undefined
 * for others. Stops are closing or middle ones, as the font draws them.
 */
function kindOf({ codePoints: [code = 0], bbox }: Glyph, em: number): Kind {
  const character = String.fromCodePoint(code)
  if (open.test(character)) return 'open'
  if (close.test(character)) return 'close'
  if (middle.test(character)) return 'middle'
  if (!dot.test(character)) return undefined
  return bbox.maxX <= em / 2 ? 'close' : 'middle'
}
