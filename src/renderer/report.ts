// Makes the report of a design in the child process, within limits: a customer decides how much a design contains, but the report goes
// to the host's process, whose thread serves all requests.
import { type Findings, reportedTitle } from './refusal.ts'
import type { Imposition } from './sheet.ts'
import type { Answer, Outcome, Report } from './task.ts'

/** Maximum pages in a report, elements on all of them, and fonts. */
const [maxPages, maxElements, maxFonts] = [1000, 2000, 200]

/** The report with its lists cut to their limits; a list that is cut causes a warning. */
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
  let remaining = maxElements
  const listedPages = pages.slice(0, maxPages).map(({ elements, ...page }) => {
    const listedElements = elements.slice(0, remaining)
    remaining -= listedElements.length
    return { ...page, elements: listedElements }
  })
  return {
    pages: listedPages,
    fonts: fonts.slice(0, maxFonts).map((font) => ({ ...font, family: reportedTitle(font.family) })),
    warnings: findings.warnings,
    ...(imposition && { sheets: imposition.sheets }),
  }
}

/** The outcome as it is sent to the host: without the parts of the report that the host does not use. */
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
