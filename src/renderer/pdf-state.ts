// Operators of the graphics state of a PDF: lines, clips, blend modes, and the space of a page.
import type { Blend, Clip, Stroke } from './marks.ts'
import type { Matrix } from './matrix.ts'
import { plain } from './outline.ts'
import type { Document } from './pdf-document.ts'
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
  const { ext_gstates: states } = doc.page
  if (!states[mode]) {
    states[mode] = doc.ref({ Type: 'ExtGState', BM: mode })
    states[mode].end()
  }
  return `/${mode} gs`
}

/** PDF measures upwards from the lower edge; PDFKit turns this at the beginning of each page. */
export function pageFlip(page: Document['page']): Matrix {
  const box = page.dictionary.data.MediaBox
  return [1, 0, 0, -1, 0, Array.isArray(box) ? Number(box[3]) : 0]
}
