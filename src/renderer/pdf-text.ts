// Words as operators of a PDF.
import type { PlacedWord, TextMark } from './marks.ts'
import { plain } from './outline.ts'
import type { EmbeddedFont } from './pdf-document.ts'

/** Each glyph at its position in the layout: moves along the line are part of the string, others reset the position. */
export function wordText(font: EmbeddedFont, word: PlacedWord, { size, slant }: TextMark): string {
  const [sin, cos] = [Math.sin(word.angle), Math.cos(word.angle)]
  const parts: string[] = []
  let string = ''
  let [at, level] = [0, Number.NaN]
  const flush = () => {
    if (string !== '') parts.push(`[${string}] TJ`)
    string = ''
  }
  for (const { id, x, y, codePoints } of word.glyphs) {
    const { code, advance } = encoded(font, id, codePoints)
    if (y !== level) {
      flush()
      const [ox, oy] = [word.x + cos * x - sin * y, word.y + sin * x + cos * y]
      parts.push(
        `${[cos, sin, sin + slant * cos, slant * sin - cos, ox, oy].map((value) => plain(value, 6)).join(' ')} Tm`,
      )
      ;[at, level] = [x, y]
    }
    const back = ((at - x) * 1000) / size
    if (Math.abs(back) > 0.05) {
      string += ` ${plain(back, 2)} `
      at = x
    }
    string += `<${code}>`
    at += (advance * size) / 1000
  }
  flush()
  return parts.join(' ')
}

/** The glyph's code in the subset: what was laid out is not laid out again, which might give other glyphs. */
function encoded(font: EmbeddedFont, id: number, codePoints: number[]): { code: string; advance: number } {
  const index = font.subset.includeGlyph(id)
  font.unicode[index] ??= codePoints
  const advance = font.widths[index] ?? font.font.getGlyph(id).advanceWidth * font.scale
  font.widths[index] = advance
  return { code: index.toString(16).padStart(4, '0'), advance }
}
