// A batch: chosen orders whose items are checked, printed together, and marked as printed.
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SvcError, unreadableValue } from '../../src/core/errors.ts'
import { html, type Part } from '../../src/core/html.ts'
import { disconnectSignal } from '../../src/http/disconnect.ts'
import { hidden } from '../../src/http/schema.ts'
import { spotColors } from '../../src/library/stored-colors.ts'
import { print } from '../../src/orders/print-again.ts'
import { type ItemRef, itemKey, type PrintStateName, printStates } from '../../src/orders/print-states.ts'
import { orderName } from '../../src/orders/source.ts'
import { assertNotForeign } from '../../src/pages/forgery.ts'
import { notice } from '../../src/pages/html.ts'
import { type Form, formOf, queryValue, valueIn } from '../../src/pages/scope.ts'
import { bundleFile } from '../../src/print/bundle-file.ts'
import type { DesignPart } from '../../src/renderer/design.ts'
import type { Preflight } from '../../src/renderer/preflight-result.ts'
import {
  type BatchItem,
  batchLink,
  batchOf,
  designsIn,
  itemsIn,
  noteMissing,
  type OrderRef,
  orderList,
  ordersIn,
  outdatedOf,
  withEntries,
} from './batch.ts'
import { batchPage } from './batch-page.ts'
import type { Desk } from './desk.ts'
import { noDesign } from './drawn.ts'
import { attached, timestamp } from './file-routes.ts'
import { stateOf } from './job-state.ts'

/** Milliseconds after which no further file is started, and no further item is checked; the page says how many are left. */
const [printTime, checkTime] = [15_000, 60_000]

/** The pages and actions that work on many chosen orders at once. */
export function batchRoutes(desk: Desk): void {
  const { app, context } = desk

  desk.post('/choose', { scope: 'orders:read', operation: 'choose_orders' }, async (form) => {
    const chosen = orderList(ordersIn((form.get('order') ?? []).join(',')))
    return chosen === '' ? 'orders?said=none' : batchLink(chosen)
  })

  // A check takes as long as it takes to draw: this page has a time limit of its own.
  app.get('/batch', { schema: hidden }, async (request, reply) => {
    desk.assertMay(request, 'orders:read')
    const refs = ordersIn(queryValue(request, 'orders'))
    const items = await batchOf(desk, refs)
    const isChecked = queryValue(request, 'check') === 'all'
    if (isChecked) assertNotForeign(request)
    const checks = isChecked ? await checksOf(desk, items, disconnectSignal(reply)) : undefined
    return sendBatch(desk, { request, reply, refs, items, checks, feedback: feedbackIn(request) })
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
    const keys = new Set(chosen.map(({ item }) => itemKey(item)))
    const again = (status: number, words: Part) => {
      const feedback = notice('problem', words)
      const shown = { request, reply: reply.code(status), refs, items: batch, feedback }
      return sendBatch(desk, { ...shown, sent: { chosen: keys, note } })
    }
    if (chosen.length === 0)
      return note === '' ? reply.redirect(back('&said=none'), 303) : again(400, noneChosen)
    if (isFile(act)) return sendFile(desk, act, chosen, { request, reply, form, back, again })
    const state = printStates.find((name) => name === act)
    if (state === 'problem' && note === '') return again(400, noteMissing)
    const run = async (): Promise<string> => {
      if (act === 'check') return back('&check=all')
      if (act === 'tickets') return `tickets?${ticketQuery(refs, batch, chosen)}`
      if (act === 'print') return back(await printAll(desk, chosen))
      if (state) return back(await mark(desk, chosen, { state, form, by: desk.nameOf(request) }))
      throw new SvcError('rest_no_route', { message: 'There is no such button.' })
    }
    const operation = state ? 'set_print_state' : act === 'print' ? 'export_order' : 'check_orders'
    const token = valueIn(form, '_form')
    const next = await desk.acting(request, token, operation, run)
    return reply.redirect(next, 303)
  })
}

interface Shown extends Pick<Parameters<typeof batchPage>[0], 'feedback' | 'sent' | 'items'> {
  request: FastifyRequest
  reply: FastifyReply
  refs: readonly OrderRef[]
  checks?: ReadonlyMap<string, Preflight | string> | undefined
}

async function sendBatch(desk: Desk, { request, reply, refs, checks, ...shown }: Shown) {
  const [jobs, zone] = await Promise.all([desk.jobs.newest(refs), desk.timeZone()])
  const main = batchPage({
    ...shown,
    orders: orderList(refs),
    jobs,
    outdated: await outdatedOf(desk, shown.items, jobs),
    checks,
    zone,
    form: desk.forms(request, reply),
    canDraw: desk.context.renderer !== undefined,
  })
  const title = `Batch of ${refs.length} ${refs.length === 1 ? 'order' : 'orders'}`
  return desk.send(request, reply, { title, current: 'orders', main })
}

/** Names the orders, not their items, where that is the same: proxies refuse long addresses. */
function ticketQuery(
  refs: readonly OrderRef[],
  batch: readonly BatchItem[],
  chosen: readonly BatchItem[],
): string {
  const printed = batch.filter(({ item }) => item.pieces !== 0)
  const isWhole = chosen.length === printed.length && chosen.every(({ item }) => item.pieces !== 0)
  return isWhole
    ? `orders=${encodeURIComponent(orderList(refs))}`
    : `items=${encodeURIComponent(chosen.map(({ item }) => itemKey(item)).join(','))}`
}

const isReading = (act: string) => act === 'check' || act === 'tickets' || isFile(act)

const isFile = (act: string): act is 'pdf' | 'sheets' | 'zip' => ['pdf', 'sheets', 'zip'].includes(act)

/** Sets the print state of items. @returns parameters of the page to show next */
export async function mark(
  desk: Desk,
  chosen: readonly { item: ItemRef }[],
  { state, form, by }: { state: PrintStateName; form: Form; by: string },
): Promise<string> {
  const refs = chosen.map(({ item: { type, id, item } }) => ({ type, id, item }))
  const note = state === 'problem' ? valueIn(form, 'note').trim() : ''
  await desk.room.mark(refs, { state, note, by })
  desk.forgetNumbers()
  return `&said=${state}&count=${refs.length}`
}

/** Starts a print job for each item without a file, or with one of an earlier design, as many as there is time for. */
async function printAll(desk: Desk, chosen: readonly BatchItem[]): Promise<string> {
  const { orders, jobs, context } = desk
  const { exporter, printableStatuses: printable } = context
  const newest = await jobs.newest(chosen.map(({ order }) => order))
  const outdated = await outdatedOf(desk, chosen, newest)
  const isMissing = (key: string) =>
    outdated.has(key) || ['none', 'failed'].includes(stateOf(newest.get(key)))
  const missing = chosen.filter(({ item }) => isMissing(itemKey(item)))
  const until = performance.now() + printTime
  let [count, refused] = [0, 0]
  for (const { item } of missing) {
    if (performance.now() > until) break
    try {
      await print(
        { orders, exporter, printable },
        { type: item.type, id: item.id, itemId: item.item || undefined },
        {},
      )
      count++
    } catch (error) {
      if (!(error instanceof SvcError) || error.code === 'svc_unavailable') throw error
      if (error.code === 'svc_renderer_busy') break
      refused++
    }
  }
  context.totals.forget()
  desk.forgetNumbers()
  return `&said=print&count=${count}&refused=${refused}&left=${missing.length - count - refused}`
}

interface Sending {
  request: FastifyRequest
  reply: FastifyReply
  form: Form
  back: (more: string) => string
  /** Sends the batch again with its ticks and this problem. */
  again: (status: number, words: Part) => Promise<FastifyReply>
}

/** One file of all items: drawn now, or the finished files of their jobs in a ZIP. */
async function sendFile(
  desk: Desk,
  act: 'pdf' | 'sheets' | 'zip',
  chosen: readonly BatchItem[],
  { request, reply, form, back, again }: Sending,
): Promise<FastifyReply> {
  await desk.acting(request, valueIn(form, '_form'), 'print_batch', async () => '')
  if (act === 'zip') {
    const newest = await desk.jobs.newest(chosen.map(({ order }) => order))
    const outdated = await outdatedOf(desk, chosen, newest)
    const isReady = (key: string) => stateOf(newest.get(key)) === 'ready' && !outdated.has(key)
    const unfinished = chosen.filter(({ item }) => !isReady(itemKey(item)))
    if (unfinished.length > 0) return reply.redirect(back(`&said=unfinished&count=${unfinished.length}`), 303)
    const items = chosen.map(({ item }) => itemKey(item)).join(',')
    return reply.redirect(`files?items=${encodeURIComponent(items)}`, 303)
  }
  const { renderer, options, preflightForm } = desk.context
  if (!renderer) throw new SvcError('svc_renderer_off')
  const parts = await partsOf(desk, chosen)
  if (parts.length === 0) return reply.redirect(back('&said=nothing'), 303)
  const { format: _pdf, ...pdf } = await preflightForm({ output_format: 'svg-pdf' })
  const spots = renderer.isForPress ? await spotColors(options) : []
  const settings = { renderer, isOnSheets: act === 'sheets', spots, ...pdf }
  let file: Readable
  try {
    file = await bundleFile(parts, settings, disconnectSignal(reply))
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'svc_render_refused') throw error
    return again(
      error.statusCode,
      html`${(error.errors ?? [error.message]).map((text) => html`<p>${text}</p>`)}`,
    )
  }
  const name = `${act === 'sheets' ? 'sheets' : 'orders'}-${timestamp(await desk.timeZone())}.pdf`
  return attached(reply, name).send(file)
}

/** The designs of the items, without those of which no pieces are left. */
async function partsOf(desk: Desk, chosen: readonly BatchItem[]): Promise<DesignPart[]> {
  const open = chosen.filter(({ item }) => item.pieces)
  const designs = new Map<string, string>()
  for await (const { key, json, stored: found } of designsIn(desk, open)) {
    if (json === undefined) throw unreadableValue(found.location)
    designs.set(key, json)
  }
  return open.map(({ order, item }) => {
    const design = designs.get(itemKey(item))
    if (design === undefined) throw noDesign()
    const title = item.item > 0 ? `${orderName(order)}, item ${item.item}` : orderName(order)
    return { title, copies: item.pieces ?? 0, design }
  })
}

/** The checks of the items by `itemKey`, as many as there is time for; a text where the design cannot be checked. */
async function checksOf(
  desk: Desk,
  items: readonly BatchItem[],
  signal: AbortSignal,
): Promise<Map<string, Preflight | string>> {
  const { renderer, preflightForm } = desk.context
  if (!renderer) throw new SvcError('svc_renderer_off')
  const form = await preflightForm()
  const until = performance.now() + checkTime
  const checks = new Map<string, Preflight | string>()
  const byKey = new Map(items.map(({ item }) => [itemKey(item), item]))
  for await (const { key, json, stored: found } of designsIn(desk, items)) {
    if (performance.now() > until) break
    // Orders take turns in the renderer.
    const settings = { ...form, client: key.split(':', 2).join(' ') }
    const check =
      json === undefined
        ? unreadableValue(found.location).message
        : await renderer.preflight(json, settings, signal).catch((error: unknown) => {
            if (!(error instanceof SvcError) || error.code === 'svc_unavailable') throw error
            return error.message
          })
    const item = byKey.get(key)
    checks.set(key, json === undefined || typeof check === 'string' ? check : withEntries(check, json, item))
  }
  return checks
}

const noneChosen = 'No item was chosen. Nothing was done.'

function feedbackIn(request: FastifyRequest) {
  const number = (name: string) => Number(/^\d{1,4}$/.exec(queryValue(request, name))?.[0] ?? 0)
  const [count, refused, notStarted] = [number('count'), number('refused'), number('left')]
  const items = count === 1 ? '1 item' : `${count} items`
  const feedbackTexts: Record<string, string> = {
    none: noneChosen,
    nothing: 'Nothing of these items is left to print.',
    printed: `${items} marked as printed.`,
    reprint: `${items} marked to be printed once more.`,
    problem: `${items} marked as a problem.`,
    to_print: `${items} marked as to print.`,
    unfinished: `${items} ${count === 1 ? 'has' : 'have'} no print file of the current design. Make the print files first.`,
    print: `${count} ${count === 1 ? 'print file is' : 'print files are'} being made.${refused > 0 ? ` ${refused} could not be started: the pages of their orders say why.` : ''}${notStarted > 0 ? ` ${notStarted} are left: press the button again.` : ''}`,
  }
  const name = queryValue(request, 'said')
  const text = Object.hasOwn(feedbackTexts, name) ? feedbackTexts[name] : undefined
  const isProblem = ['none', 'nothing', 'unfinished'].includes(name) || refused + notStarted > 0
  return text === undefined ? undefined : notice(isProblem ? 'problem' : 'done', text)
}
