// An item as lists and pages of orders show it: what was bought, how many pieces are printed, and what became of them.

import { type Html, html } from '../../src/core/html.ts'
import type { RoomItem } from '../../src/orders/print-room.ts'
import type { PrintStateName } from '../../src/orders/print-states.ts'
import { piecesText } from '../../src/orders/printable.ts'
import type { JobView } from '../../src/print/job-overview.ts'
import { fileStateMark, fileStateOf } from './job-state.ts'

/** The states that people set, in words. */
export const printStateNames: Record<PrintStateName, string> = {
  to_print: 'To print',
  printed: 'Printed',
  reprint: 'To reprint',
  problem: 'Problem',
}

/** Classes of the style sheet. */
const looks: Record<PrintStateName, string> = {
  to_print: '',
  printed: 'ready',
  reprint: 'waiting',
  problem: 'failed',
}

/** The state in words and in color. */
export const printStateMark = (state: PrintStateName): Html =>
  html`<span class="state ${looks[state]}">${printStateNames[state]}</span>`

/**
 * What was bought, and the marks of print file and print state.
 * @param isOutdated whether the design was changed after the file was made
 */
export function itemLine(item: RoomItem, job: JobView | undefined, isOutdated = false): Html {
  const { state, isChanged } = item
  const isTouched = state.state !== 'to_print'
  return html`<div>${boughtWords(item)}${isChanged && html`<p class="why">Changed since it was printed.</p>`}${isOutdated && html`<p class="why">The design was changed after its file was made.</p>`}${state.note && html`<p class="remark">${state.note}</p>`}</div>
<div class="marks">${fileStateMark(fileStateOf(job))}${isTouched && html` ${printStateMark(state.state)}`}</div>`
}

/** Product, attributes and pieces of an item. */
function boughtWords({ bought, entered, pieces }: RoomItem): Html {
  const attributes = (bought?.attributes ?? entered).map(({ name, value }) => `${name}: ${value}`).join(', ')
  if (!bought) return html`${attributes && html`<p>${attributes}</p>`}`
  return html`<p>${bought.name}${bought.sku && html` <span class="remark">${bought.sku}</span>`}</p>
${attributes && html`<p class="remark">${attributes}</p>`}
<p class="remark">${piecesText(bought, pieces)}</p>`
}
