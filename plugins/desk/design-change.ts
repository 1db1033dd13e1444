// Changes of stored designs that the desk makes, through the same steps as `update_order` and `update_view`.
import { viewsRepository } from '../../src/catalog/views.ts'
import { SvcError } from '../../src/core/errors.ts'
import { type Check, changeOf, readBack } from '../../src/core/resource.ts'
import { parseExact } from '../../src/json/exact.ts'
import { itemJson } from '../../src/orders/item-values.ts'
import { viewsOf } from '../../src/renderer/design.ts'
import { objectOf, type Properties } from '../../src/renderer/values.ts'
import type { Desk } from './desk.ts'
import { type Drawn, noDesign } from './drawn.ts'

/** Another user may have changed the design since it was read. */
const unlessChanged =
  (state: string): Check =>
  (current) => {
    if (current.state !== state)
      throw new SvcError('svc_precondition_failed', {
        message: 'The design was changed at this moment. Nothing was done: look at it again, and repeat it.',
      })
  }

/**
 * Changes the design of an item.
 * @param edit changes the design in place, and returns whether it did
 * @throws SvcError 404 when there is nothing to change
 */
export async function changeOrder(
  { orders, context }: Desk,
  { type, id, item }: Drawn,
  edit: (design: Properties) => boolean,
): Promise<void> {
  const itemId = item || undefined
  const source = orders.of(type)
  const { item: stored, customization, state } = await source.design(id, itemId)
  const design = parseExact(customization)
  if (!edit(design as Properties)) throw noDesign()
  // As GET returns it, so that a design with properties of an item's names stays what it is.
  const sent = parseExact(itemJson({ ...stored, json: JSON.stringify(design) }))
  const { change } = await source.update(id, itemId, sent, unlessChanged(state))
  context.totals.forget()
  if (change) await context.metaChanged(change)
}

/** Changes elements of an item's design, or of a product's views. @throws SvcError 404 when there is nothing to change */
export async function changeElements(
  desk: Desk,
  drawn: Drawn,
  edit: (elements: readonly Properties[]) => boolean,
): Promise<void> {
  if (drawn.type !== 'product')
    return changeOrder(desk, drawn, (design) => edit(viewsOf(design).flatMap(({ elements }) => elements)))
  const views = viewsRepository(desk.context.database)
  const ids = (await views.listOf(drawn.id, new Set(['id'])))?.flatMap(({ ID }) => ID ?? []) ?? []
  let isChanged = false
  for (const id of ids) {
    const { resource, state } = (await views.find(id)) ?? {}
    const elements = parseExact(resource?.elements ?? '[]')
    if (state === undefined || !Array.isArray(elements) || !edit(elements.map(objectOf))) continue
    await views.update(id, changeOf({ elements }, { ...readBack, check: unlessChanged(state) }))
    isChanged = true
  }
  if (!isChanged) throw noDesign()
}
