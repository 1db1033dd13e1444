// Brackets, commas and full stops of Chinese and Japanese that follow each other: browsers take half of the space between them.
import type { Font, Glyph } from 'fontkit'

type Kind = 'open' | 'close' | 'middle' | undefined

const open = /[\u3008\u300a\u300c\u300e\u3010\u3014\u3016\u3018\u301a\u301d\uff08\uff3b\uff5b\uff5f]/
const close = /[\u3009\u300b\u300d\u300f\u3011\u3015\u3017\u3019\u301b\u301e\u301f\uff09\uff3d\uff5d\uff60]/
/** Stand at the left or in the middle, depending on the country that the font is for. */
const dot = /[\u3001\u3002\uff0c\uff0e\uff1a\uff1b]/
const middle = /[\u3000\u30fb]/

/** Whether text may have such characters beside each other. */
export const hasHanPunctuation = (text: string) => /[\u3000-\u301f\u30fb\uff00-\uff60]{2}/.test(text)

/** Advance and offset of the glyphs that lose half of their width, by their index, in units of the font. */
export function hanSpacing(font: Font, glyphs: readonly Glyph[]): Map<number, Halved> {
  const kinds = glyphs.map((glyph) => kindOf(glyph, font.unitsPerEm))
  const found = new Map<number, Halved>()
  for (const index of glyphs.keys()) {
    const [before, own, after] = [kinds[index - 1], kinds[index], kinds[index + 1]]
    const isHalf =
      (own === 'open' && before !== undefined) ||
      (own === 'close' && (after === 'close' || after === 'middle'))
    const halved = isHalf ? halvedOf(font, glyphs[index]) : undefined
    if (halved) found.set(index, halved)
  }
  return found
}

export interface Halved {
  xAdvance: number
  xOffset: number
}

/** As the font says it; undefined if it has no such forms. */
function halvedOf(font: Font, glyph: Glyph | undefined): Halved | undefined {
  if (!glyph || !font.availableFeatures.includes('halt')) return undefined
  const [position] = font.layout(String.fromCodePoint(...glyph.codePoints), ['halt']).positions
  return position && { xAdvance: position.xAdvance, xOffset: position.xOffset }
}

function kindOf({ codePoints: [code = 0], bbox }: Glyph, em: number): Kind {
  const character = String.fromCodePoint(code)
  if (open.test(character)) return 'open'
  if (close.test(character)) return 'close'
  if (middle.test(character)) return 'middle'
  if (!dot.test(character)) return undefined
  return bbox.maxX <= em / 2 ? 'close' : 'middle'
}
