// The markup of a batch: its items, each with a box to choose it, and the buttons for all that are chosen.
import type { FastifyRequest } from 'fastify'
import { type Html, html } from '../../src/core/html.ts'
import { isToPrint } from '../../src/orders/print-room.ts'
import { itemKey } from '../../src/orders/print-states.ts'
import { orderName } from '../../src/orders/source.ts'
import { orderLink } from '../../src/orders/ticket-page.ts'
import { queryValue } from '../../src/pages/form.ts'
import { notice } from '../../src/pages/html.ts'
import type { JobView } from '../../src/print/job-overview.ts'
import type { Preflight } from '../../src/renderer/preflight-result.ts'
import type { BatchItem } from './batch.ts'
import { designQuery } from './design-ref.ts'
import type { FormMaker } from './desk.ts'
import { countsIn } from './feedback.ts'
import { checkSummary } from './finding-parts.ts'
import { itemLine } from './item-parts.ts'

interface Batch {
  /** The text of `orderList`. */
  orders: string
  items: readonly BatchItem[]
  /** How many items of the batch the page does not show. */
  moreItems: number
  jobs: ReadonlyMap<string, JobView>
  /** Keys of items whose design was changed after their file was made. */
  outdated: ReadonlySet<string>
  /** By `itemKey`; undefined if nothing was checked. */
  checks: ReadonlyMap<string, Preflight | string> | undefined
  form: FormMaker
  canDraw: boolean
  feedback: Html | undefined
  /** Keys of the ticked items, and the text of the note, after a form that was refused; otherwise all items to print are ticked. */
  sent?: { chosen: ReadonlySet<string>; note: string } | undefined
}

/** The page on which items of many orders are chosen and worked on. */
export function batchPage(batch: Batch): Html {
  const { orders, items, moreItems, form, feedback } = batch
  const content = html`
${buttons(batch)}
<ul class="orders batch" id="batch">${items.map((item) => row(item, batch))}</ul>`
  return html`
<p><a href="orders?work=to_print&amp;sort=due">Orders to print</a></p>
${feedback}
${moreItems > 0 && html`<p role="alert">${moreItems} more items are not shown. Mark these when they are done, then the next ones follow.</p>`}
${items.length === 0 ? html`<p role="status">These orders have no designs any more.</p>` : (form('orders:read', 'batch', { orders }, content, { className: 'choose' }) ?? content)}`
}

function buttons({ canDraw, sent }: Batch): Html {
  const button = (act: string, label: string, className = '') =>
    html`<button name="do" value="${act}" class="${className}">${label}</button>`
  return html`
<fieldset class="bar"><legend>Print selected items</legend>
${canDraw && button('check', 'Check all')} ${button('print', 'Make print files', 'main')} ${canDraw && html`${button('pdf', 'Download PDF')} ${button('sheets', 'Download sheets')}`} ${button('zip', 'Download ZIP')} ${button('tickets', 'Show tickets')}
<p class="remark">The PDF contains each page once. Sheets repeat it for each piece to print, but print each entry of names and numbers once. The ZIP contains the finished print files.</p></fieldset>
<fieldset class="bar"><legend>After printing</legend>
${button('printed', 'Mark as printed', 'main')} ${button('reprint', 'Mark for reprint')} ${button('to_print', 'Mark as to print')}
<label>Note <input type="text" name="note" value="${sent?.note ?? ''}" maxlength="500" autocomplete="off"></label> ${button('problem', 'Mark as a problem', 'danger')}</fieldset>`
}

function row({ order, item }: BatchItem, { jobs, outdated, checks, canDraw, sent }: Batch): Html {
  const key = itemKey(item)
  const name = orderName(order)
  const check = checks?.get(key)
  const isTicked = sent ? sent.chosen.has(key) : isToPrint(item)
  return html`
<li><label class="choice"><input type="checkbox" name="item" value="${key}"${isTicked && html` checked`}><span class="unseen">Select ${name}${item.item > 0 && `, item ${item.item}`}</span></label>
<div class="what"><p class="name"><a href="${orderLink(item)}">${name}</a></p><p class="remark">${order.customer_name}</p></div>
<div class="found">${check !== undefined && checkSummary(check)}${checks && check === undefined && html`<p class="remark">Not checked yet: there was no time.</p>`}
${canDraw && html`<p><a href="check?${designQuery(item)}">Details<span class="unseen"> of the check of ${name}</span></a></p>`}</div>
<ul class="items"><li>${itemLine(item, jobs.get(key), outdated.has(key))}</li></ul></li>`
}

/** The message if a button was pressed and no item was selected. */
export const noneChosen = 'No item is selected. Nothing was done.'

/** The result of the action that led to this page, by the parameters of its address. */
export function batchFeedback(request: FastifyRequest): Html | undefined {
  const { count, refused, untried } = countsIn(request)
  const items = count === 1 ? '1 item' : `${count} items`
  const feedbackTexts: Record<string, string> = {
    none: noneChosen,
    nothing: 'Nothing is left to print of these items.',
    printed: `${items} marked as printed.`,
    reprint: `${items} marked for reprint.`,
    problem: `${items} marked as a problem.`,
    to_print: `${items} marked as to print.`,
    unfinished: `${items} ${count === 1 ? 'has' : 'have'} no print file of the current design. Make the print files first.`,
    print: `${count} ${count === 1 ? 'print file is' : 'print files are'} being made.${refused > 0 ? ` ${refused} could not be started: the pages of their orders say why.` : ''}${untried > 0 ? ` ${untried} ${untried === 1 ? 'is' : 'are'} left: press “Make print files” again.` : ''}`,
  }
  const name = queryValue(request, 'said')
  const text = Object.hasOwn(feedbackTexts, name) ? feedbackTexts[name] : undefined
  const isProblem = ['none', 'nothing', 'unfinished'].includes(name) || refused + untried > 0
  return text === undefined ? undefined : notice(isProblem ? 'problem' : 'done', text)
}
