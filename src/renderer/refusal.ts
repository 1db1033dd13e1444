// Why a design is not printed: what cannot be drawn exactly is refused with the view, the element and the cause.

/** One sentence about a view or an element in it. */
export interface Finding {
  code: FindingCode
  /** Title of the view; null where the whole design is meant. */
  view: string | null
  /** Title of the element; null where the whole view is meant. */
  element: string | null
  message: string
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

/** Thrown while a part is resolved; whoever knows view and element makes a finding of it. */
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

  /** Runs `work`; what is undrawable in it becomes a refusal and the result undefined. */
  try<T>(view: string | null, element: string | null, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof Undrawable)) throw error
      this.refuse({ code: error.code, view, element, message: error.message })
      return undefined
    }
  }

  refuse(finding: Finding): void {
    if (this.refusals.length < maxFindings) this.refusals.push(finding)
  }

  warn(finding: Finding): void {
    if (this.warnings.length < maxFindings) this.warnings.push(finding)
  }
}

/** Findings of one kind that are kept. */
const maxFindings = 100

/** Titles are foreign; a sentence shows their beginning. */
export const shown = (text: string) => {
  const plain = text.replace(/\p{Cc}+/gu, ' ')
  return `"${plain.length > 80 ? `${plain.slice(0, 80)}…` : plain}"`
}

/** The finding as one sentence. */
export function sentenceOf({ view, element, message }: Finding): string {
  const where = [
    view === null ? '' : `view ${shown(view)}`,
    element === null ? '' : `element ${shown(element)}`,
  ]
  const place = where.filter(Boolean).join(', ')
  return place === '' ? message : `${place[0]?.toUpperCase()}${place.slice(1)}: ${message}`
}
