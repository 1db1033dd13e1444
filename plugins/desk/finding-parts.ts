// Findings of a check as markup, on all pages of the desk: level, place, message, and what to do about it.
import { type Html, html } from '../../src/core/html.ts'
import type { Preflight, PreflightFinding } from '../../src/renderer/preflight-result.ts'

/** A finding as far as pages show it. */
export type ShownFinding = Pick<PreflightFinding, 'level' | 'code' | 'view' | 'element' | 'message'>

/** What to do, by the code of the finding. */
const advice: Record<string, string> = {
  design: 'Ask the customer to save the design again.',
  page: 'Check the print area of the view in the product, or the design.',
  value: 'Correct the element in the product or the design.',
  feature: 'Compare the preview with what the customer saw.',
  font: 'Upload the font on the page of the check, or choose another one.',
  glyph: 'Choose a font that has these characters.',
  picture: 'Upload the picture on the page of the check, or ask the customer for it.',
  drawing: 'Compare the preview with what the customer saw, or replace the drawing.',
  box: 'Move the element into the print area.',
  resolution: 'Ask the customer for a larger picture, or print it smaller.',
  limit: 'Choose a lower resolution, or split the order.',
  line: 'Make the line thicker.',
  margin: 'Move the element away from the edge.',
  bleed: 'Extend the picture to the end of the bleed.',
  overflow: 'Make the text smaller, or its box larger.',
  ink: 'Use lighter colors.',
  mirror: 'Print the file as it is.',
  rgb: 'Compare the colors of a proof.',
  'order-status': 'Look at the order in the shop before you print it.',
  'order-refund': 'Check how many pieces are to be printed.',
  'order-quantity': 'Correct the quantity in the shop.',
}

const levelNames = { refusal: 'Must be fixed', warning: 'Warning' } as const

/** What a page adds to findings. */
export interface FindingParts {
  /** The picture of a view, where the page has one. */
  picture?: (view: string | null) => Html | undefined
  /** Advice that holds on this page, instead of the general one. */
  adviceFor?: (finding: ShownFinding) => string | undefined
}

function findingRow(finding: ShownFinding, { picture, adviceFor }: FindingParts): Html {
  const { level, code, view, element, message } = finding
  const adviceText = adviceFor?.(finding) ?? (Object.hasOwn(advice, code) ? advice[code] : undefined)
  return html`<li class="finding ${level}">${picture?.(view)}<div><p><span class="state ${level === 'refusal' ? 'failed' : 'waiting'}">${levelNames[level]}</span>
<span class="remark">${[view, element].filter(Boolean).join(', ')}</span></p>
<p${level === 'refusal' && html` class="why"`}>${message}</p>${adviceText && html`<p class="remark">${adviceText}</p>`}</div></li>`
}

/** The findings, refusals first; undefined if there are none. */
export const findingRows = (
  findings: readonly ShownFinding[],
  parts: FindingParts = {},
): Html | undefined => {
  const inOrder = findings.toSorted((a, b) => Number(b.level === 'refusal') - Number(a.level === 'refusal'))
  return inOrder.length > 0
    ? html`<ul class="findings">${inOrder.map((finding) => findingRow(finding, parts))}</ul>`
    : undefined
}

/** The result of a check in short. @param check a text if the design cannot be checked */
export function checkSummary(check: Preflight | string): Html {
  if (typeof check === 'string')
    return findingRows([{ level: 'refusal', code: '', view: null, element: null, message: check }]) ?? html``
  const { printable, findings } = check
  if (printable && findings.length === 0) return html`<p class="good">Ready to print.</p>`
  return findingRows(findings) ?? html``
}
