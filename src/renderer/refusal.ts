// Why a design is not printed: what cannot be drawn exactly is refused with the view, the element and the cause.

import { isDeepStrictEqual } from 'node:util'
import { SvcError } from '../core/errors.ts'

/** One sentence about a view or an element in it. */
export interface Finding {
  code: FindingCode
  /** Title of the view; null for the whole design. */
  view: string | null
  /** Title of the element; null for the whole view. */
  element: string | null
  message: string
  /** What was measured, in the unit of the code: dpi, points of a line, millimetres, percent of ink. */
  value?: number | string
}

export type FindingCode =
  | 'design'
  | 'page'
  | 'value'
  | 'feature'
  | 'font'
  | 'glyph'
  | 'picture'
  | 'drawing'
  | 'box'
  | 'resolution'
  | 'limit'
  | PressCode

/** What can be drawn, but may not print well. */
type PressCode = 'line' | 'margin' | 'bleed' | 'overflow' | 'ink' | 'rgb'

/** Thrown while a part is resolved; a caller that knows view and element turns it into a finding. */
export class Undrawable extends Error {
  override readonly name = 'Undrawable'
  readonly code: FindingCode

  constructor(code: FindingCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Collects what a preflight finds. */
export class Findings {
  readonly refusals: Finding[] = []
  readonly warnings: Finding[] = []

  /** Runs `work`. If it throws Undrawable, that becomes a refusal and the result is undefined. */
  try<T>(view: string | null, element: string | null, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      this.caught(error, view, element)
      return undefined
    }
  }

  /** The refusal that Undrawable becomes. @throws any other error */
  caught(error: unknown, view: string | null = null, element: string | null = null): void {
    if (!(error instanceof Undrawable)) throw error
    this.refuse({ code: error.code, view, element, message: error.message })
  }

  refuse(finding: Finding): void {
    keep(this.refusals, finding)
  }

  warn(finding: Finding): void {
    keep(this.warnings, finding)
  }
}

/** Several pages of a view find the same; it is told once. */
function keep(findings: Finding[], finding: Finding): void {
  const isKnown = findings.some((known) => isDeepStrictEqual(known, finding))
  if (!isKnown && findings.length < maxFindings) findings.push(finding)
}

/** Maximum findings of one kind. */
const maxFindings = 100

/** Titles are untrusted; a sentence contains only their beginning. */
export const shown = (text: string) => {
  const plain = text.replace(/\p{Cc}+/gu, ' ')
  return `"${plain.length > 80 ? `${plain.slice(0, 80)}…` : plain}"`
}

/** The finding as one sentence. */
export function sentenceOf({
  view,
  element,
  message,
}: Pick<Finding, 'view' | 'element' | 'message'>): string {
  if (view === null) return element === null ? message : `Element ${shown(element)}: ${message}`
  return `View ${shown(view)}${element === null ? '' : `, element ${shown(element)}`}: ${message}`
}

/** Maximum number of reasons in a refusal. */
const maxReported = 20

export function refusal(refusals: readonly Finding[]): SvcError {
  const sentences = refusals.map(sentenceOf)
  return new SvcError('svc_render_refused', {
    message: sentences[0] ?? 'The design cannot be drawn.',
    data: { refusals: refusals.slice(0, maxReported) },
    errors: sentences.slice(0, maxReported),
  })
}
