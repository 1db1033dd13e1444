// What the buttons of a batch do with its items: check them, make their print files, mark them as printed.
import { SvcError, unreadableValue } from '../../src/core/errors.ts'
import { print } from '../../src/orders/print-again.ts'
import { type ItemRef, itemKey, type PrintStateName } from '../../src/orders/print-states.ts'
import { type Form, valueIn } from '../../src/pages/form.ts'
import type { Preflight } from '../../src/renderer/preflight-result.ts'
import { type BatchItem, designsIn, outdatedItems, withEntryWarnings } from './batch.ts'
import type { Desk } from './desk.ts'
import { fileStateOf } from './job-state.ts'

/** Milliseconds after which no further file is started, and after which no further item is checked; the page names the rest. */
const [printTime, checkTime] = [15_000, 60_000]

/** Sets the print state of items, for a batch or the page of an order. @returns feedback, as parameters of the next page from `&` on */
export async function markItems(
  desk: Desk,
  items: readonly { item: ItemRef }[],
  { state, form, by }: { state: PrintStateName; form: Form; by: string },
): Promise<string> {
  const refs = items.map(({ item: { type, id, item } }) => ({ type, id, item }))
  const note = state === 'problem' ? valueIn(form, 'note').trim() : ''
  await desk.room.mark(refs, { state, note, by })
  desk.forgetNumbers()
  return `&said=${state}&count=${refs.length}`
}

/**
 * Starts a print job for each item without a file, or with one of an earlier design, as many as there is time for.
 * @returns feedback, as parameters of the next page from `&` on
 */
export async function printItems(desk: Desk, items: readonly BatchItem[]): Promise<string> {
  const { orders, jobs, context } = desk
  const { exporter, printableStatuses: printable } = context
  const newest = await jobs.newest(items.map(({ order }) => order))
  const outdated = await outdatedItems(desk, items, newest)
  const isMissing = (key: string) =>
    outdated.has(key) || ['none', 'failed'].includes(fileStateOf(newest.get(key)))
  const missing = items.filter(({ item }) => isMissing(itemKey(item)))
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
      // The next ones would be refused as well.
      if (error.code === 'svc_renderer_busy') break
      refused++
    }
  }
  context.totals.forget()
  desk.forgetNumbers()
  return `&said=print&count=${count}&refused=${refused}&left=${missing.length - count - refused}`
}

/**
 * The checks of the items by `itemKey`, as many as there is time for; a text where the design cannot be checked.
 * @param signal aborts when the client disconnects
 */
export async function checkItems(
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
  for await (const { key, json, stored } of designsIn(desk, items)) {
    if (performance.now() > until) break
    // Orders take turns in the renderer.
    const settings = { ...form, client: key.split(':', 2).join(' ') }
    const check =
      json === undefined
        ? unreadableValue(stored.location).message
        : await renderer.preflight(json, settings, signal).catch((error: unknown) => {
            if (!(error instanceof SvcError) || error.code === 'svc_unavailable') throw error
            return error.message
          })
    const item = byKey.get(key)
    checks.set(
      key,
      json === undefined || typeof check === 'string' ? check : withEntryWarnings(check, json, item),
    )
  }
  return checks
}
