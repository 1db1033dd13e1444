// Writes operators of a PDF (PDF 32000-1 annex A): paths, line styles, clips, blend modes, words; and the matrix of a page.
import type { Blend, Clip, PlacedWord, Stroke, TextMark } from './marks.ts'
import type { Matrix } from './matrix.ts'
import { decimal, type Outline } from './outline.ts'
import { added, type Document, type EmbeddedFont } from './pdf-document.ts'

/** The operators that define a path (PDF 32000-1 §8.5.2). */
export function pathText(outline: Outline): string {
  return outline
    .map((segment) => {
      if (segment[0] === 'Z') return 'h'
      const [name, ...values] = segment
      return `${values.map((value) => decimal(value, 5)).join(' ')} ${name.toLowerCase()}`
    })
    .join(' ')
}

/** The operators that set width, cap, join, miter limit and dashes of a line. */
export function lineText({ width, cap, join, miter, dash, dashOffset }: Stroke): string {
  const caps = { butt: 0, round: 1, square: 2 }[cap]
  const joins = { miter: 0, round: 1, bevel: 2 }[join]
  const dashes =
    dash.length > 0 ? ` [${dash.map((length) => decimal(length)).join(' ')}] ${decimal(dashOffset)} d` : ''
  return `${decimal(width, 6)} w ${caps} J ${joins} j ${decimal(Math.max(1, miter))} M${dashes}`
}

/** The operators that intersect the clip with an outline. */
export const clipText = ({ outline, rule }: Clip) =>
  `${pathText(outline)} ${rule === 'evenodd' ? 'W*' : 'W'} n`

/** The operator that sets a blend mode; adds its graphics state to the current page. */
export function blendText(doc: Document, blend: Blend): string {
  const mode = blend.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
  doc.page.ext_gstates[mode] ??= added(doc, { Type: 'ExtGState', BM: mode })
  return `/${mode} gs`
}

/** The matrix from points measured downwards from the upper edge to those of PDF; PDFKit applies it at the beginning of each page. */
export function pageFlip(page: Document['page']): Matrix {
  const box = page.dictionary.data.MediaBox
  return [1, 0, 0, -1, 0, Array.isArray(box) ? Number(box[3]) : 0]
}

/**
 * The operators that show the glyphs of a word at their positions (PDF 32000-1 §9.4). A move along the baseline is a number in the
 * array of TJ, in thousandths of an em; for a glyph at another height the text matrix (Tm) is set again.
 */
export function wordText(font: EmbeddedFont, word: PlacedWord, { size, slant }: TextMark): string {
  const [sin, cos] = [Math.sin(word.angle), Math.cos(word.angle)]
  const parts: string[] = []
  let string = ''
  /** Where the next glyph of the string would be along the baseline, and the height of the string. */
  let [position, level] = [0, Number.NaN]
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
        `${[cos, sin, sin + slant * cos, slant * sin - cos, ox, oy].map((value) => decimal(value, 6)).join(' ')} Tm`,
      )
      ;[position, level] = [x, y]
    }
    const moveBack = ((position - x) * 1000) / size
    if (Math.abs(moveBack) > 0.05) {
      string += ` ${decimal(moveBack, 2)} `
      position = x
    }
    string += `<${code}>`
    position += (advance * size) / 1000
  }
  flush()
  return parts.join(' ')
}

/** The code of a glyph in the embedded subset, and its advance in 1/1000 em. PDFKit's own layout could choose other glyphs. */
function encoded(font: EmbeddedFont, id: number, codePoints: number[]): { code: string; advance: number } {
  const index = font.subset.includeGlyph(id)
  font.unicode[index] ??= codePoints
  const advance = font.widths[index] ?? font.font.getGlyph(id).advanceWidth * font.scale
  font.widths[index] = advance
  return { code: index.toString(16).padStart(4, '0'), advance }
}
