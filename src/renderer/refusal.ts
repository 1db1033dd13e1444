// Why a design is not printed: what cannot be drawn exactly is refused with the view, the element and the cause.

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
  | 'mirror'
  | OrderCode

/** What can be drawn, but may not print well. */
type PressCode = 'line' | 'margin' | 'bleed' | 'overflow' | 'ink' | 'rgb'

/** Findings about the order, not about its design. */
type OrderCode = 'order-status' | 'order-refund' | 'order-quantity'

/** Reported for every mirrored file, so that the press does not mirror it again. */
export const mirrorFinding: Finding = {
  code: 'mirror',
  view: null,
  element: null,
  message: 'The print file is mirrored from left to right; do not mirror it again.',
}

/** Thrown while a part is resolved; a caller that knows view and element turns it into a finding. */
export class Undrawable extends Error {
  override readonly name = 'Undrawable'
  readonly code: FindingCode

  constructor(code: FindingCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Collects what a preflight finds: at most 100 refusals and 100 warnings, each once and with its texts cut. */
export class Findings {
  readonly refusals: Finding[] = []
  readonly warnings: Finding[] = []
  /** JSON texts of all findings. */
  readonly #known = new Set<string>()

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
    this.#add(this.refusals, finding)
  }

  /** Whether a part of the view cannot be drawn. */
  hasRefused(view: string): boolean {
    return this.refusals.some((refusal) => refusal.view === view)
  }

  warn(finding: Finding): void {
    this.#add(this.warnings, finding)
  }

  /** Several pages of a view find the same. */
  #add(findings: Finding[], { code, view, element, message, value }: Finding): void {
    if (findings.length === maxFindings) return
    const finding = {
      code,
      view: view && reportedTitle(view),
      element: element && reportedTitle(element),
      message: shortened(message, maxMessage),
      ...(value !== undefined && { value: typeof value === 'string' ? shortened(value, maxMessage) : value }),
    }
    const key = JSON.stringify([findings === this.refusals, finding])
    if (this.#known.has(key)) return
    this.#known.add(key)
    findings.push(finding)
  }
}

/** Maximum findings of one kind. */
const maxFindings = 100
/** Maximum characters of a title in a report, and of a message. */
const [maxTitle, maxMessage] = [100, 1000]

/** The beginning of a longer text. Half of a surrogate pair would make JSON that PHP cannot read. */
function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  return `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…`
}

/** A title as findings and reports name it: titles are untrusted, and of any length in the design. */
export const reportedTitle = (title: string) => shortened(title, maxTitle)

/** Titles are untrusted; a sentence contains only their beginning. */
export const shown = (text: string) =>
  `"${shortened(shortened(text, maxMessage).replace(/\p{Cc}+/gu, ' '), 80)}"`

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
