// Operators of a PDF: lines, clips, blend modes, words, and the space of a page.
import type { Blend, Clip, PlacedWord, Stroke, TextMark } from './marks.ts'
import type { Matrix } from './matrix.ts'
import { plain } from './outline.ts'
import { added, type Document, type EmbeddedFont } from './pdf-document.ts'
import { pathText } from './pdf-finishing.ts'

export function lineText({ width, cap, join, miter, dash, dashOffset }: Stroke): string {
  const caps = { butt: 0, round: 1, square: 2 }[cap]
  const joins = { miter: 0, round: 1, bevel: 2 }[join]
  const dashes =
    dash.length > 0 ? ` [${dash.map((each) => plain(each)).join(' ')}] ${plain(dashOffset)} d` : ''
  return `${plain(width, 6)} w ${caps} J ${joins} j ${plain(Math.max(1, miter))} M${dashes}`
}

export const clipText = ({ outline, rule }: Clip) =>
  `${pathText(outline)} ${rule === 'evenodd' ? 'W*' : 'W'} n`

/** Makes the mode known to the page. */
export function blendText(doc: Document, blend: Blend): string {
  const mode = blend.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
  doc.page.ext_gstates[mode] ??= added(doc, { Type: 'ExtGState', BM: mode })
  return `/${mode} gs`
}

/** PDF measures upwards from the lower edge; PDFKit turns this at the beginning of each page. */
export function pageFlip(page: Document['page']): Matrix {
  const box = page.dictionary.data.MediaBox
  return [1, 0, 0, -1, 0, Array.isArray(box) ? Number(box[3]) : 0]
}

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
