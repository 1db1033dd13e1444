// Checks the elements of a page that was composed, for prints and preflights: position, resolution, what cannot be printed as
// it looks on screen, and what a press cannot print well (press-checks.ts). Nothing here refuses; all findings are warnings.
import type { Placed } from './compose.ts'
import type { Face } from './face.ts'
import { intersection } from './matrix.ts'
import { inch } from './output-limits.ts'
import { bledBox, type PageBox } from './page.ts'
import { pdfNotes } from './pdf-page-print.ts'
import { checkForPress, type Warn } from './press-checks.ts'
import { type Findings, reportedTitle } from './refusal.ts'
import type { PageReport } from './task.ts'
import { isWhiteOnPaper } from './white-text.ts'

export interface PageChecks {
  /** Pixels per inch below which a picture is reported; undefined checks none. */
  minDpi: number | undefined
  /** Whether pictures in CMYK stay so: in files in the inks of a press. */
  keepsCmyk: boolean
  /** Whether white text is not seen: the ground of the file is white, not transparent, and no white ink is printed below. */
  isOnWhite: boolean
  /** Whether the format shows pages of customers' PDFs as vectors. */
  isVectors: boolean
  faces: ReadonlyMap<string, Face>
}

/**
 * Checks the elements of a page and adds warnings to the findings. An element on no page is reported with the first one.
 * @param view its title
 * @param pages `siblings` are all pages that show the same elements, this one included: one for each print area
 * @param placed all elements of the view, from bottom to top
 * @returns those that were checked, for the report
 */
export function checkElements(
  view: string,
  pages: { page: PageBox; siblings: readonly PageBox[] },
  placed: readonly Placed[],
  findings: Findings,
  { minDpi, keepsCmyk, isOnWhite, isVectors, faces }: PageChecks,
): PageReport['elements'] {
  const { page, siblings } = pages
  const isOn = ({ area }: Placed, on: PageBox) => intersection(area, bledBox(on)) !== undefined
  const isFirst = page === siblings[0]
  const isNowhere = (item: Placed) => !siblings.some((sibling) => isOn(item, sibling))
  // Elements of another page are reported there.
  const reported = placed.filter((item) => isOn(item, page) || (isFirst && isNowhere(item)))
  return reported.map((item) => {
    const { element, pixels } = item
    const warn: Warn = (code, message, value) =>
      findings.warn({ code, view, element: element.title, message, ...(value !== undefined && { value }) })
    if (!isOn(item, page)) warn('box', 'The element lies outside of the printed box.')
    checkFeatures(item, { keepsCmyk, isVectors }, warn)
    if (isOnWhite && isWhiteOnPaper(item, placed.slice(0, placed.indexOf(item))))
      warn('feature', 'The text is white and lies on the paper; only colored material shows it.')
    const dpi = pixels
      ? Math.floor(pixels.file / ((pixels.stage * page.width) / page.box.width / inch))
      : null
    if (dpi !== null && minDpi !== undefined && dpi < minDpi) {
      warn('resolution', `The picture is printed at ${dpi} dpi; the print profile asks for ${minDpi}.`, dpi)
    }
    if (isOn(item, page)) checkForPress(item, page, faces, warn)
    return { title: reportedTitle(element.title), type: element.kind, dpi }
  })
}

/** Warns of what is printed differently from how it looks on screen. */
function checkFeatures(
  { element, marks, isRasterized, isCmyk, note, pdf }: Placed,
  { keepsCmyk, isVectors }: Pick<PageChecks, 'keepsCmyk' | 'isVectors'>,
  warn: Warn,
): void {
  if (marks.length === 0 && element.kind === 'text' && element.text.trim() !== '')
    warn('feature', 'The text has neither a fill nor a stroke, and is not seen.')
  if (isRasterized) warn('drawing', 'The drawing is printed as a picture, not as vectors.')
  for (const { code, message } of pdf ? pdfNotes(pdf, { isForPress: keepsCmyk, isVectors }) : [])
    warn(code, message)
  if (note !== undefined) warn(element.kind === 'text' ? 'feature' : 'drawing', note)
  if (isCmyk && !keepsCmyk) warn('picture', 'The picture has CMYK colors, which are printed as RGB.')
  if (element.blend && keepsCmyk)
    warn(
      'feature',
      'The inks of the element are blended with those below it, which looks darker than on screen.',
    )
}
