// The page of one order, whose markup is in order-page.ts, and its actions: make print files, set print states, change the number of
// the print provider's product.
import { invalidParams, SvcError, unreadableValue } from '../../src/core/errors.ts'
import { mapInTurns } from '../../src/core/turns.ts'
import type { ItemValue } from '../../src/orders/item-values.ts'
import { noOrderData } from '../../src/orders/order-errors.ts'
import type { OrdersOfType } from '../../src/orders/orders.ts'
import { print } from '../../src/orders/print-again.ts'
import type { RoomItem } from '../../src/orders/print-room.ts'
import { itemKey, printStates } from '../../src/orders/print-states.ts'
import { type OrderDetails, type OrderType, orderName } from '../../src/orders/source.ts'
import { orderLink } from '../../src/orders/ticket-page.ts'
import { findingsOf } from '../../src/orders/whole-order.ts'
import { type Form, queryValue, valueIn } from '../../src/pages/form.ts'
import { dpiRange, type ExportOverrides, outputFormats } from '../../src/print/export-request.ts'
import type { JobView } from '../../src/print/job-overview.ts'
import { isOtherDesign } from './batch.ts'
import { markItems } from './batch-actions.ts'
import { shownDesign, variationHolder, variationName } from './design.ts'
import { changeOrder } from './design-change.ts'
import { designRefIn, idIn, noDesign, orderIn } from './design-ref.ts'
import type { Desk } from './desk.ts'
import { feedbackIn } from './feedback.ts'
import { jobListParts } from './job-parts.ts'
import { maxVariation, orderPage, type ShownItem } from './order-page.ts'
import { partWith } from './order-part.ts'

/** The page of one order and its actions. */
export function orderRoutes(desk: Desk): void {
  const { orders, jobs, context, room } = desk

  desk.get('/order', 'orders:read', async (request, form) => {
    const ref = orderIn((part) => queryValue(request, part))
    const { type, id } = ref
    const source = orders.of(type)
    // Orders of forms and of the website have one design and no items.
    const itemIds = type === 'wc' ? ((await source.designedItems([id])).get(id) ?? []) : [0]
    const part = partWith(itemIds, idIn(queryValue(request, 'item')))
    const [designs, details, [order], newest, history, findings] = await Promise.all([
      designsOf(source, id, part.itemIds),
      source.details(id),
      room.listed([ref]),
      jobs.newest([ref]),
      jobs.history(ref),
      findingsOf(source, id, undefined, context.printableStatuses),
    ])
    if (designs.length === 0 && part.total === part.itemIds.length) throw noOrderData(id, type)
    const roomItems = order && (await room.itemsOf([order])).get(order)
    const items = await mapInTurns(designs, (design) =>
      shownItem(ref, design, { details, newest, roomItems }),
    )
    const main = orderPage({
      ref,
      order,
      details,
      items,
      part,
      findings,
      history,
      hasFiles: [...newest.values(), ...history].some(({ status, file }) => status === 'completed' && file),
      feedback: feedbackIn(request),
      jobParts: await jobListParts(desk, request, form, { back: 'order', jobs: history }),
      canPreview: context.renderer !== undefined,
      isForPress: context.renderer?.isForPress ?? false,
    })
    const title = orderName(order ?? ref)
    return { title, current: 'orders', main }
  })

  desk.post('/print', { scope: 'orders:write', operation: 'export_order' }, async (form) => {
    const { type, id } = orderIn((part) => valueIn(form, part))
    const item = idIn(valueIn(form, 'item')) ?? 0
    const itemId = item || undefined
    try {
      const { exporter, printableStatuses: printable } = context
      await print({ orders, exporter, printable }, { type, id, itemId }, overridesIn(form))
      context.totals.forget()
    } catch (error) {
      // The job stores the reason, and the page shows it.
      if (!(error instanceof SvcError) || error.code !== 'svc_export_refused') throw error
    }
    return `${orderLink({ type, id, item })}&said=print`
  })

  desk.post('/mark', { scope: 'orders:write', operation: 'set_print_state' }, async (form, request) => {
    const { type, id, item } = designRefIn((field) => valueIn(form, field))
    const state = printStates.find((name) => name === valueIn(form, 'state'))
    if (type === 'product' || !state) throw noDesign()
    if (state === 'problem' && valueIn(form, 'note').trim() === '')
      return `${orderLink({ type, id, item })}&said=note`
    const feedback = await markItems(desk, [{ item: { type, id, item } }], {
      state,
      form,
      by: desk.nameOf(request),
    })
    return `${orderLink({ type, id, item })}${feedback}`
  })

  desk.post('/variation', { scope: 'orders:write', operation: 'update_order' }, async (form) => {
    const designRef = designRefIn((field) => valueIn(form, field))
    if (designRef.type === 'product') throw noDesign()
    const variation = valueIn(form, 'variation').trim()
    if (variation.length > maxVariation || /\p{Cc}/u.test(variation))
      throw invalidParams({ variation: `must be at most ${maxVariation} characters long` })
    await changeOrder(desk, designRef, (design) => {
      const holder = variationHolder(design)
      if (holder) Object.assign(holder, { [variationName]: variation })
      return holder !== undefined
    })
    return `${orderLink(designRef)}&said=${variation === '' ? 'here' : 'variation'}`
  })
}

interface OrderData {
  details: OrderDetails
  /** The newest job of each item, by `itemKey`. */
  newest: ReadonlyMap<string, JobView>
  /** Undefined for orders that no list shows. */
  roomItems: readonly RoomItem[] | undefined
}

/** An item of the order with its design, or with the reason why that cannot be shown. */
function shownItem(
  ref: { type: OrderType; id: number },
  { stored: { itemId, location }, json }: ItemValue,
  { details, newest, roomItems }: OrderData,
): ShownItem {
  const id = itemId ?? 0
  const job = newest.get(itemKey({ ...ref, item: id }))
  const item = {
    id,
    name: details.items?.find((bought) => bought.id === itemId)?.name ?? '',
    job,
    room: roomItems?.find(({ item }) => item === id),
  }
  if (json === undefined) return { ...item, problem: unreadableValue(location).message }
  const isOutdated = job?.status === 'completed' && isOtherDesign(job.exportSettings, json)
  return { ...item, design: shownDesign(json), isOutdated }
}

/** The designs of these items of an order. */
async function designsOf(source: OrdersOfType, id: number, itemIds: readonly number[]) {
  const designs: ItemValue[] = []
  for await (const [, part] of source.designs(itemIds.map((item) => ({ id, item })))) designs.push(...part)
  return designs
}

/** The settings that the form chooses for the print file; the shop's settings decide what was left empty. @throws SvcError 400 */
function overridesIn(form: Form): ExportOverrides {
  const [format, dpi] = [valueIn(form, 'format'), valueIn(form, 'dpi').trim()]
  const knownFormat = outputFormats.find((name) => name === format)
  const number = dpi === '' ? undefined : Number(dpi)
  const { minimum, maximum } = dpiRange
  if (number !== undefined && !(Number.isInteger(number) && number >= minimum && number <= maximum))
    throw invalidParams({ dpi: `must be a whole number from ${minimum} to ${maximum}` })
  return {
    ...(knownFormat && { output_format: knownFormat }),
    ...(number !== undefined && { dpi: number }),
    ...(valueIn(form, 'color') === 'rgb' && { color: 'rgb' as const }),
  }
}
