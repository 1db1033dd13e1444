// Collects findings about a design, each with its view and element: refusals of what cannot be drawn exactly, and warnings.
import { SvcError } from '../core/errors.ts'
import type { FindingCode } from '../core/finding-codes.ts'

/** One sentence about a design, a view or an element. */
export interface Finding {
  code: FindingCode
  /** Title of the view; null for the whole design. */
  view: string | null
  /** Title of the element; null for the whole view or design. */
  element: string | null
  /** Position of the view in the design, from 0; `Findings` adds it. */
  viewPosition?: number
  message: string
  /** The measured value in the unit of the code (dpi, points of a line, millimetres, percent of ink), or the probable text. */
  value?: number | string
}

/** Reported for every mirrored file, so that the press does not mirror it again. */
export const mirrorFinding: Finding = {
  code: 'mirror',
  view: null,
  element: null,
  message: 'The print file is mirrored from left to right; do not mirror it again.',
}

/** Thrown where a part cannot be drawn; `Findings.try`, whose caller knows view and element, turns it into a refusal. */
export class Undrawable extends Error {
  override readonly name = 'Undrawable'
  readonly code: FindingCode

  constructor(code: FindingCode, message: string) {
    super(message)
    this.code = code
  }
}

/** The findings about one design: at most 100 refusals and 100 warnings, each once and with its texts cut. */
export class Findings {
  readonly refusals: Finding[] = []
  readonly warnings: Finding[] = []
  /** Titles of the views in the order of the design, as findings name them. */
  #views: readonly string[] = []
  /** All findings as JSON. */
  readonly #added = new Set<string>()

  /** Sets the views of the design, before any finding names one. @param titles each one once */
  setViews(titles: readonly string[]): void {
    this.#views = titles.map(reportedTitle)
  }

  /** Runs `work`. If it throws Undrawable, that becomes a refusal and the result is undefined. */
  try<T>(view: string | null, element: string | null, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      this.caught(error, view, element)
      return undefined
    }
  }

  /** Turns Undrawable into a refusal; throws any other error. */
  caught(error: unknown, view: string | null = null, element: string | null = null): void {
    if (!(error instanceof Undrawable)) throw error
    this.refuse({ code: error.code, view, element, message: error.message })
  }

  refuse(finding: Finding): void {
    this.#add(this.refusals, finding)
  }

  /** Whether a refusal names the view. */
  hasRefused(view: string): boolean {
    return this.refusals.some((refusal) => refusal.view === reportedTitle(view))
  }

  warn(finding: Finding): void {
    this.#add(this.warnings, finding)
  }

  /** Adds a finding with its texts cut, unless it was added before or the list is full: several pages of a view find the same. */
  #add(findings: Finding[], { code, view, element, message, value }: Finding): void {
    if (findings.length === maxFindings) return
    const title = view && reportedTitle(view)
    const viewPosition = title === null ? -1 : this.#views.indexOf(title)
    const finding = {
      code,
      view: title,
      ...(viewPosition >= 0 && { viewPosition }),
      element: element && reportedTitle(element),
      message: shortened(message, maxMessage),
      ...(value !== undefined && { value: typeof value === 'string' ? shortened(value, maxMessage) : value }),
    }
    const key = JSON.stringify([findings === this.refusals, finding])
    if (this.#added.has(key)) return
    this.#added.add(key)
    findings.push(finding)
  }
}

/** Maximum findings of one kind. */
const maxFindings = 100
/** Maximum characters of a title in a report, and of a message. */
const [maxTitle, maxMessage] = [100, 1000]

/** The beginning of a text that is too long. Half of a surrogate pair at its end would make JSON that PHP cannot read. */
function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  return `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…`
}

/** A title as findings and reports name it: titles are untrusted, and of any length in the design. */
export const reportedTitle = (title: string) => shortened(title, maxTitle)

/** An untrusted text in quotation marks for a sentence: only its beginning, without control characters. */
export const quoted = (text: string) =>
  `"${shortened(shortened(text, maxMessage).replace(/\p{Cc}+/gu, ' '), 80)}"`

/** The finding as one sentence, which begins with view and element. */
export function sentenceOf({
  view,
  element,
  message,
}: Pick<Finding, 'view' | 'element' | 'message'>): string {
  if (view === null) return element === null ? message : `Element ${quoted(element)}: ${message}`
  return `View ${quoted(view)}${element === null ? '' : `, element ${quoted(element)}`}: ${message}`
}

/** Maximum number of reasons in a refusal. */
const maxReported = 20

/** The error 422 for a design that is refused, with its first reasons. */
export function refusal(refusals: readonly Finding[]): SvcError {
  const sentences = refusals.map(sentenceOf)
  return new SvcError('svc_render_refused', {
    message: sentences[0] ?? 'The design cannot be drawn.',
    data: {
      refusals: refusals.slice(0, maxReported).map(({ viewPosition: _position, ...finding }) => finding),
    },
    errors: sentences.slice(0, maxReported),
  })
}
