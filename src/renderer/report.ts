// What is reported of a design. A customer decides how much a design contains; what goes to the host's process, whose thread
// serves all requests, has limits.
import { type Findings, reportedTitle } from './refusal.ts'
import type { Imposition } from './sheet.ts'
import type { Answer, Outcome, Report } from './task.ts'

/** Maximum pages in a report, elements on all of them, and fonts. */
const [maxPages, maxElements, maxFonts] = [1000, 2000, 200]

/** Cuts the lists. What is cut is a warning. */
export function reportOf(
  { pages, fonts }: Pick<Report, 'pages' | 'fonts'>,
  findings: Findings,
  imposition: Imposition | undefined,
): Report {
  const count = pages.reduce((sum, { elements }) => sum + elements.length, 0)
  if (pages.length > maxPages || count > maxElements || fonts.length > maxFonts) {
    const message = `The report lists the first ${maxPages} pages, ${maxElements} elements and ${maxFonts} fonts; the design has ${pages.length}, ${count} and ${fonts.length}.`
    findings.warn({ code: 'limit', view: null, element: null, message })
  }
  let room = maxElements
  const listed = pages.slice(0, maxPages).map(({ elements, ...page }) => {
    const some = elements.slice(0, room)
    room -= some.length
    return { ...page, elements: some }
  })
  return {
    pages: listed,
    fonts: fonts.slice(0, maxFonts).map((font) => ({ ...font, family: reportedTitle(font.family) })),
    warnings: findings.warnings,
    ...(imposition && { sheets: imposition.sheets }),
  }
}

/** The outcome without what the host does not use. */
export function answerOf(outcome: Outcome): Answer {
  if (outcome.kind === 'refused') return outcome
  const { report } = outcome
  const { sheets = [], positions, ...checked } = report
  if (outcome.kind === 'checked') return { ...outcome, report: checked }
  const { kind, path, type } = outcome
  const pieces = sheets.reduce((sum, { length }) => sum + length, 0)
  const places = positions && { positions: positions.slice(0, maxPages) }
  return { kind, path, type, warnings: report.warnings, ...places, sheets: sheets.length, pieces }
}
