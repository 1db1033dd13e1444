// The routes of a batch: chosen orders whose items are checked, printed together, and marked as printed.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import type { Part } from '../../src/core/html.ts'
import { disconnectSignal } from '../../src/http/disconnect.ts'
import { hidden } from '../../src/http/schema.ts'
import { itemKey, printStates } from '../../src/orders/print-states.ts'
import { assertNotForeign } from '../../src/pages/forgery.ts'
import { formOf, queryValue, valueIn } from '../../src/pages/form.ts'
import { notice } from '../../src/pages/html.ts'
import type { Preflight } from '../../src/renderer/preflight-result.ts'
import {
  batchItems,
  batchLink,
  itemsIn,
  type OrderRef,
  orderList,
  ordersIn,
  outdatedItems,
  shownItems,
} from './batch.ts'
import { checkItems, markItems, printItems } from './batch-actions.ts'
import { isFileAction, sendFile } from './batch-file.ts'
import { batchFeedback, batchPage, noneChosen } from './batch-page.ts'
import type { Desk } from './desk.ts'
import { noteMissing } from './feedback.ts'
import { sendTickets } from './ticket-routes.ts'

/** The pages and actions that work on many chosen orders at once. */
export function batchRoutes(desk: Desk): void {
  const { app, context } = desk

  desk.post('/choose', { scope: 'orders:read', operation: 'choose_orders' }, async (form) => {
    const chosen = orderList(ordersIn((form.get('order') ?? []).join(',')))
    return chosen === '' ? 'orders?said=none' : batchLink(chosen)
  })

  // No time limit as other pages have, because a check takes as long as drawing: `checkItems` has its own.
  app.get('/batch', { schema: hidden }, async (request, reply) => {
    desk.assertMay(request, 'orders:read')
    const refs = ordersIn(queryValue(request, 'orders'))
    const items = await batchItems(desk, refs)
    const isChecked = queryValue(request, 'check') === 'all'
    if (isChecked) assertNotForeign(request)
    const checks = isChecked ? await checkItems(desk, shownItems(items), disconnectSignal(reply)) : undefined
    return sendBatch(desk, { request, reply, refs, items, checks, feedback: batchFeedback(request) })
  })

  app.post('/batch', { schema: hidden, bodyLimit: context.bodyLimits.json }, async (request, reply) => {
    const form = formOf(request)
    const action = valueIn(form, 'do')
    desk.assertMay(request, isReading(action) ? 'orders:read' : 'orders:write')
    const refs = ordersIn(valueIn(form, 'orders'))
    const items = await batchItems(desk, refs)
    const ticked = new Set(itemsIn(form.get('item') ?? []).map(itemKey))
    const selected = items.filter(({ item }) => ticked.has(itemKey(item)))
    const note = valueIn(form, 'note').trim()
    const batchUrl = (more: string) => batchLink(orderList(refs), more)
    /** Shows the batch with the entries of the form and a problem. */
    const refuse = (status: number, problem: Part) =>
      sendBatch(desk, {
        request,
        reply: reply.code(status),
        refs,
        items,
        feedback: notice('problem', problem),
        sent: { chosen: new Set(selected.map(({ item }) => itemKey(item))), note },
      })
    // Without a note, nothing is lost by a redirect.
    if (selected.length === 0)
      return note === '' ? reply.redirect(batchUrl('&said=none'), 303) : refuse(400, noneChosen)
    if (isFileAction(action))
      return sendFile(desk, action, selected, { request, reply, form, batchUrl, refuse })
    if (action === 'tickets') {
      // Tickets change nothing, so there is no action for the audit trail.
      desk.assertForm(request, valueIn(form, '_form'))
      return sendTickets(desk, selected, { request, reply, back: batchUrl('') })
    }
    const state = printStates.find((name) => name === action)
    if (state === 'problem' && note === '') return refuse(400, noteMissing)
    const work = async (): Promise<string> => {
      if (action === 'check') return '&check=all'
      if (action === 'print') return printItems(desk, selected)
      if (state) return markItems(desk, selected, { state, form, by: desk.nameOf(request) })
      throw new SvcError('rest_no_route', { message: 'There is no such button.' })
    }
    const operation = state ? 'set_print_state' : action === 'print' ? 'export_order' : 'check_orders'
    const feedback = await desk.runAction(request, valueIn(form, '_form'), operation, work)
    return reply.redirect(batchUrl(feedback), 303)
  })
}

interface SentBatch extends Pick<Parameters<typeof batchPage>[0], 'feedback' | 'sent' | 'items'> {
  request: FastifyRequest
  reply: FastifyReply
  refs: readonly OrderRef[]
  checks?: ReadonlyMap<string, Preflight | string> | undefined
}

async function sendBatch(desk: Desk, { request, reply, refs, items, checks, feedback, sent }: SentBatch) {
  const jobs = await desk.jobs.newest(refs)
  const itemsOfPage = shownItems(items)
  const main = batchPage({
    orders: orderList(refs),
    items: itemsOfPage,
    moreItems: items.length - itemsOfPage.length,
    jobs,
    outdated: await outdatedItems(desk, itemsOfPage, jobs),
    checks,
    feedback,
    sent,
    form: desk.forms(request, reply),
    canDraw: desk.context.renderer !== undefined,
  })
  const title = `Batch of ${refs.length} ${refs.length === 1 ? 'order' : 'orders'}`
  return desk.send(request, reply, { title, current: 'orders', main })
}

/** Whether a button changes nothing. */
const isReading = (action: string) => action === 'check' || action === 'tickets' || isFileAction(action)
