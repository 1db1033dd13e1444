// Converts the findings of a preflight to plain data for responses, print jobs and the command line.
import { type Finding, sentenceOf } from './refusal.ts'
import type { Report } from './task.ts'

/** A finding of a preflight, or a warning of a print job. */
export interface PreflightFinding {
  level: 'refusal' | 'warning'
  code: string
  view: string | null
  /** Position of the view in the design, from 0; null for the whole design, absent if it is not known. */
  view_position?: number | null
  element: string | null
  message: string
  /** The measured value, in the unit of the code; null if there is none. */
  value: number | string | null
}

/** The result of a preflight. */
export interface Preflight {
  /** Whether nothing is refused. */
  printable: boolean
  findings: PreflightFinding[]
  pages: Report['pages']
  fonts: Report['fonts']
}

/** The finding as responses contain it. */
export const findingOf = (
  level: PreflightFinding['level'],
  { code, view, viewPosition, element, message, value }: Finding,
): PreflightFinding => {
  const position = view === null ? null : viewPosition
  const place = { view, ...(position !== undefined && { view_position: position }), element }
  return { level, code, ...place, message, value: value ?? null }
}

/** Makes the result of a preflight. @param report contains the warnings */
export function preflightOf(refusals: readonly Finding[], report: Report): Preflight {
  const { pages, fonts, warnings } = report
  const findings = [
    ...refusals.map((finding) => findingOf('refusal', finding)),
    ...warnings.map((finding) => findingOf('warning', finding)),
  ]
  return { printable: refusals.length === 0, findings, pages, fonts }
}

/** The finding in one line, with level and code in columns, for the command line. */
export const lineOf = (finding: PreflightFinding): string =>
  `${finding.level.padEnd(8)} ${finding.code.padEnd(10)} ${sentenceOf(finding)}`
