// Changes parts of stored designs: a number or pictures of an order's item, or pictures of a product. Writes as `update_order` and
// `update_view` do.
import { viewsRepository } from '../../src/catalog/views.ts'
import { SvcError } from '../../src/core/errors.ts'
import { type Check, changeOf, readBack } from '../../src/core/resource.ts'
import { parseExact } from '../../src/json/parse.ts'
import { itemJson } from '../../src/orders/item-values.ts'
import { viewsOf } from '../../src/renderer/design.ts'
import { objectOf, type Properties } from '../../src/renderer/values.ts'
import { type DesignRef, noDesign } from './design-ref.ts'
import type { Desk } from './desk.ts'

/** The check of a write: refuses with 412 if another user has changed the design since it was read in this state. */
const unlessChanged =
  (state: string, done = 'Nothing was done'): Check =>
  (current) => {
    if (current.state !== state)
      throw new SvcError('svc_precondition_failed', {
        message: `The design was changed at this moment. ${done}: look at it again, and repeat it.`,
      })
  }

/** Some views of a product were changed before the error `cause` ended the change. */
export class PartlyChanged extends Error {}

/**
 * Changes the design of an item of an order.
 * @param edit changes the design in place, and returns whether it did
 * @throws SvcError 404 when there is nothing to change, 412 if another user changes the design at the same time
 */
export async function changeOrder(
  { orders, context }: Desk,
  { type, id, item: refItem }: DesignRef,
  edit: (design: Properties) => boolean,
): Promise<void> {
  const itemId = refItem || undefined
  const source = orders.of(type)
  const { item, customization, state } = await source.design(id, itemId)
  const design = parseExact(customization)
  if (!edit(design as Properties)) throw noDesign()
  // `update` takes an item as GET returns it. The plain design would lose properties that are named as those of an item.
  const sent = parseExact(itemJson({ ...item, json: JSON.stringify(design) }))
  const { change } = await source.update(id, itemId, sent, unlessChanged(state))
  context.totals.forget()
  if (change) await context.metaChanged(change)
}

/**
 * Changes elements of an item's design, or of the views of a product, one view after the other.
 * @param edit changes the elements of a design or view in place, and returns whether it did
 * @throws SvcError as `changeOrder`; PartlyChanged if earlier views of a product stay changed
 */
export async function changeElements(
  desk: Desk,
  designRef: DesignRef,
  edit: (elements: readonly Properties[]) => boolean,
): Promise<void> {
  if (designRef.type !== 'product')
    return changeOrder(desk, designRef, (design) => edit(viewsOf(design).flatMap(({ elements }) => elements)))
  const views = viewsRepository(desk.context.database)
  const ids = (await views.listOf(designRef.id, new Set(['id'])))?.flatMap(({ ID }) => ID ?? []) ?? []
  let isChanged = false
  for (const id of ids) {
    const { resource, state } = (await views.find(id)) ?? {}
    const elements = parseExact(resource?.elements ?? '[]')
    if (state === undefined || !Array.isArray(elements) || !edit(elements.map(objectOf))) continue
    const check = unlessChanged(state, isChanged ? 'The views before it are done' : undefined)
    try {
      await views.update(id, changeOf({ elements }, { ...readBack, check }))
    } catch (cause) {
      throw isChanged ? new PartlyChanged('Some views were changed.', { cause }) : cause
    }
    isChanged = true
  }
  if (!isChanged) throw noDesign()
}
