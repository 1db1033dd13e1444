// An item of an order as markup, for the list of orders and for batches: what was bought, its pieces, and its states.
import { type Html, html } from '../../src/core/html.ts'
import type { RoomItem } from '../../src/orders/print-room.ts'
import type { PrintStateName } from '../../src/orders/print-states.ts'
import { piecesText } from '../../src/orders/printable.ts'
import type { JobView } from '../../src/print/job-overview.ts'
import { fileStateBadge, fileStateOf } from './job-state.ts'

/** The states that people set, in words. */
export const printStateNames: Record<PrintStateName, string> = {
  to_print: 'To print',
  printed: 'Printed',
  reprint: 'To reprint',
  problem: 'Problem',
}

/** Classes of the style sheet, which color the states. */
const stateClasses: Record<PrintStateName, string> = {
  to_print: '',
  printed: 'ready',
  reprint: 'waiting',
  problem: 'failed',
}

/** The state in words and in color. */
export const printStateBadge = (state: PrintStateName): Html =>
  html`<span class="state ${stateClasses[state]}">${printStateNames[state]}</span>`

/**
 * One line of a list: what was bought, the state of the print file, and the print state unless it is `to_print`.
 * @param job the newest of the item
 * @param isOutdated whether the design was changed after the file was made
 */
export function itemLine(item: RoomItem, job: JobView | undefined, isOutdated = false): Html {
  const { state, isChanged } = item
  const isSet = state.state !== 'to_print'
  return html`<div>${boughtText(item)}${isChanged && html`<p class="why">Changed since it was printed.</p>`}${isOutdated && html`<p class="why">The design was changed after its file was made.</p>`}${state.note && html`<p class="remark">${state.note}</p>`}</div>
<div class="marks">${fileStateBadge(fileStateOf(job))}${isSet && html` ${printStateBadge(state.state)}`}</div>`
}

/** Product, attributes and pieces of an item. */
function boughtText({ bought, entered, pieces }: RoomItem): Html {
  const attributes = (bought?.attributes ?? entered).map(({ name, value }) => `${name}: ${value}`).join(', ')
  if (!bought) return html`${attributes && html`<p>${attributes}</p>`}`
  return html`<p>${bought.name}${bought.sku && html` <span class="remark">${bought.sku}</span>`}</p>
${attributes && html`<p class="remark">${attributes}</p>`}
<p class="remark">${piecesText(bought, pieces)}</p>`
}
