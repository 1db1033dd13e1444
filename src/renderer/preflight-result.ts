// What a preflight tells, as plain data for responses, jobs and the command.
import { type Finding, sentenceOf } from './refusal.ts'
import type { Report } from './task.ts'

export interface PreflightFinding {
  level: 'refusal' | 'warning'
  code: string
  view: string | null
  element: string | null
  message: string
  /** What was measured, in the unit of the code; null if nothing was. */
  value: number | string | null
}

export interface Preflight {
  /** Whether nothing is refused. */
  printable: boolean
  findings: PreflightFinding[]
  pages: Report['pages']
  fonts: Report['fonts']
}

export const findingOf = (
  level: PreflightFinding['level'],
  { code, view, element, message, value }: Finding,
): PreflightFinding => ({ level, code, view, element, message, value: value ?? null })

export function preflightOf(refusals: readonly Finding[], { pages, fonts, warnings }: Report): Preflight {
  const findings = [
    ...refusals.map((each) => findingOf('refusal', each)),
    ...warnings.map((each) => findingOf('warning', each)),
  ]
  return { printable: refusals.length === 0, findings, pages, fonts }
}

/** The finding in one line for people. */
export const lineOf = (finding: PreflightFinding): string =>
  `${finding.level.padEnd(8)} ${finding.code.padEnd(10)} ${sentenceOf(finding)}`
