// Words as operators of a PDF.
import type { PlacedWord } from './marks.ts'
import { plain } from './outline.ts'
import type { EmbeddedFont } from './pdf-document.ts'

/** Each glyph at its position in the layout: moves along the line are part of the string, others reset the position. */
export function wordText(font: EmbeddedFont, word: PlacedWord, size: number): string {
  const [codes, positions] = font.encode(word.text)
  const [sin, cos] = [Math.sin(word.angle), Math.cos(word.angle)]
  const parts: string[] = []
  let string = ''
  let [at, level] = [0, Number.NaN]
  const flush = () => {
    if (string !== '') parts.push(`[${string}] TJ`)
    string = ''
  }
  for (const [index, { x, y }] of word.glyphs.entries()) {
    const code = codes[index] ?? '0000'
    if (y !== level) {
      flush()
      const [ox, oy] = [word.x + cos * x - sin * y, word.y + sin * x + cos * y]
      parts.push(`${[cos, sin, sin, -cos, ox, oy].map((value) => plain(value, 6)).join(' ')} Tm`)
      ;[at, level] = [x, y]
    }
    const back = ((at - x) * 1000) / size
    if (Math.abs(back) > 0.05) {
      string += ` ${plain(back, 2)} `
      at = x
    }
    string += `<${code}>`
    at += ((positions[index]?.advanceWidth ?? 0) * size) / 1000
  }
  flush()
  return parts.join(' ')
}
