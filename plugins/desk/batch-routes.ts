// The routes of a batch: chosen orders whose items are checked, printed together, and marked as printed.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import type { Part } from '../../src/core/html.ts'
import { disconnectSignal } from '../../src/http/disconnect.ts'
import { hidden } from '../../src/http/schema.ts'
import { itemKey, printStates } from '../../src/orders/print-states.ts'
import { assertNotForeign } from '../../src/pages/forgery.ts'
import { notice } from '../../src/pages/html.ts'
import { formOf, queryValue, valueIn } from '../../src/pages/scope.ts'
import type { Preflight } from '../../src/renderer/preflight-result.ts'
import {
  batchLink,
  batchOf,
  itemsIn,
  noteMissing,
  type OrderRef,
  orderList,
  ordersIn,
  outdatedOf,
  shownItems,
} from './batch.ts'
import { checksOf, mark, printAll } from './batch-actions.ts'
import { isFileAct, sendFile } from './batch-file.ts'
import { batchFeedback, batchPage, noneChosen } from './batch-page.ts'
import type { Desk } from './desk.ts'
import { sendTickets } from './ticket-routes.ts'

/** The pages and actions that work on many chosen orders at once. */
export function batchRoutes(desk: Desk): void {
  const { app, context } = desk

  desk.post('/choose', { scope: 'orders:read', operation: 'choose_orders' }, async (form) => {
    const chosen = orderList(ordersIn((form.get('order') ?? []).join(',')))
    return chosen === '' ? 'orders?said=none' : batchLink(chosen)
  })

  // No time limit as other pages have, because a check takes as long as drawing: `checksOf` has its own.
  app.get('/batch', { schema: hidden }, async (request, reply) => {
    desk.assertMay(request, 'orders:read')
    const refs = ordersIn(queryValue(request, 'orders'))
    const items = await batchOf(desk, refs)
    const shown = shownItems(items)
    const isChecked = queryValue(request, 'check') === 'all'
    if (isChecked) assertNotForeign(request)
    const checks = isChecked ? await checksOf(desk, shown, disconnectSignal(reply)) : undefined
    return sendBatch(desk, { request, reply, refs, items, checks, feedback: batchFeedback(request) })
  })

  app.post('/batch', { schema: hidden, bodyLimit: context.bodyLimits.json }, async (request, reply) => {
    const form = formOf(request)
    const act = valueIn(form, 'do')
    const refs = ordersIn(valueIn(form, 'orders'))
    desk.assertMay(request, isReading(act) ? 'orders:read' : 'orders:write')
    const wanted = new Set(itemsIn(form.get('item') ?? []).map(itemKey))
    const batch = await batchOf(desk, refs)
    const chosen = batch.filter(({ item }) => wanted.has(itemKey(item)))
    const back = (more: string) => batchLink(orderList(refs), more)
    const note = valueIn(form, 'note').trim()
    const sent = { chosen: new Set(chosen.map(({ item }) => itemKey(item))), note }
    const again = (status: number, problem: Part) => {
      const feedback = notice('problem', problem)
      return sendBatch(desk, { request, reply: reply.code(status), refs, items: batch, feedback, sent })
    }
    // Without a note, nothing is lost by a redirect.
    if (chosen.length === 0)
      return note === '' ? reply.redirect(back('&said=none'), 303) : again(400, noneChosen)
    if (isFileAct(act)) return sendFile(desk, act, chosen, { request, reply, form, back, again })
    if (act === 'tickets') {
      // Tickets change nothing, so there is no action for the audit trail.
      desk.assertForm(request, valueIn(form, '_form'))
      return sendTickets(desk, chosen, { request, reply, back: back('') })
    }
    const state = printStates.find((name) => name === act)
    if (state === 'problem' && note === '') return again(400, noteMissing)
    const run = async (): Promise<string> => {
      if (act === 'check') return back('&check=all')
      if (act === 'print') return back(await printAll(desk, chosen))
      if (state) return back(await mark(desk, chosen, { state, form, by: desk.nameOf(request) }))
      throw new SvcError('rest_no_route', { message: 'There is no such button.' })
    }
    const operation = state ? 'set_print_state' : act === 'print' ? 'export_order' : 'check_orders'
    return reply.redirect(await desk.acting(request, valueIn(form, '_form'), operation, run), 303)
  })
}

interface Shown extends Pick<Parameters<typeof batchPage>[0], 'feedback' | 'sent' | 'items'> {
  request: FastifyRequest
  reply: FastifyReply
  refs: readonly OrderRef[]
  checks?: ReadonlyMap<string, Preflight | string> | undefined
}

async function sendBatch(desk: Desk, { request, reply, refs, items, checks, ...shown }: Shown) {
  const jobs = await desk.jobs.newest(refs)
  const itemsOfPage = shownItems(items)
  const main = batchPage({
    ...shown,
    orders: orderList(refs),
    items: itemsOfPage,
    moreItems: items.length - itemsOfPage.length,
    jobs,
    outdated: await outdatedOf(desk, itemsOfPage, jobs),
    checks,
    form: desk.forms(request, reply),
    canDraw: desk.context.renderer !== undefined,
  })
  const title = `Batch of ${refs.length} ${refs.length === 1 ? 'order' : 'orders'}`
  return desk.send(request, reply, { title, current: 'orders', main })
}

const isReading = (act: string) => act === 'check' || act === 'tickets' || isFileAct(act)
