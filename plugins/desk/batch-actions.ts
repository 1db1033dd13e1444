// What the buttons of a batch do: check its items, print them, make one file of them, or mark them.
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SvcError, unreadableValue } from '../../src/core/errors.ts'
import { html, type Part } from '../../src/core/html.ts'
import { disconnectSignal } from '../../src/http/disconnect.ts'
import { spotColors } from '../../src/library/stored-colors.ts'
import { print } from '../../src/orders/print-again.ts'
import { type ItemRef, itemKey, type PrintStateName } from '../../src/orders/print-states.ts'
import { orderName } from '../../src/orders/source.ts'
import { type Form, valueIn } from '../../src/pages/scope.ts'
import { bundleFile } from '../../src/print/bundle-file.ts'
import type { DesignPart } from '../../src/renderer/design.ts'
import type { Preflight } from '../../src/renderer/preflight-result.ts'
import { type BatchItem, designsIn, outdatedOf, withEntries } from './batch.ts'
import type { Desk } from './desk.ts'
import { noDesign } from './drawn.ts'
import { attached, timestamp } from './file-routes.ts'
import { stateOf } from './job-state.ts'

/** Milliseconds after which no further file is started, and no further item is checked; the page says how many are left. */
const [printTime, checkTime] = [15_000, 60_000]

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
export async function printAll(desk: Desk, chosen: readonly BatchItem[]): Promise<string> {
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
export async function sendFile(
  desk: Desk,
  act: 'pdf' | 'sheets' | 'zip',
  chosen: readonly BatchItem[],
  { request, reply, form, back, again }: Sending,
): Promise<FastifyReply> {
  desk.assertForm(request, valueIn(form, '_form'))
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
export async function checksOf(
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
