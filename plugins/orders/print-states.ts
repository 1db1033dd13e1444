// `/orders/{id}/print-states`: reads and sets the print states of an order's items: to print, printed, to print again, or a problem.
import { Type } from '@sinclair/typebox'
import type { SvcContext } from '../../src/app/context.ts'
import { SvcError } from '../../src/core/errors.ts'
import type { GroupScope } from '../../src/http/group.ts'
import { principalOf } from '../../src/http/principal.ts'
import { ok } from '../../src/http/response.ts'
import { Enum, Id, IdParams, responses, TextOrNull } from '../../src/http/schema.ts'
import type { Orders } from '../../src/orders/orders.ts'
import { printRoom } from '../../src/orders/print-room.ts'
import { maxNote, printStates } from '../../src/orders/print-states.ts'
import { bodyWithQuery } from './requested-item.ts'
import { ItemId, OrderTypeName, types } from './schema.ts'

const PrintState = Type.Object({
  item_id: Type.Union([Id, Type.Null()], { description: 'The item; null where orders have no items.' }),
  state: Enum(printStates, {
    description: 'to_print, printed, reprint (to be printed once more) or problem.',
  }),
  pieces: Type.Union([Id, Type.Literal(0), Type.Null()], {
    description: 'Pieces to print: ordered less refunded; null if the shop stores no whole number.',
  }),
  is_changed: Type.Boolean({ description: 'Whether design or pieces changed after it was printed.' }),
  note: Type.String({ description: 'What the problem is.' }),
  changed_by: TextOrNull('Who set the state.'),
  changed_at: TextOrNull('ISO 8601 in UTC; null if nobody has set a state.'),
})

const PrintStates = Type.Object({
  order_id: Id,
  type: Type.String({ description: `As requested: ${types}.` }),
  items: Type.Array(PrintState, { description: 'The items with a design.' }),
})

const StateToSet = Type.Object({
  type: OrderTypeName('wc'),
  item_id: ItemId,
  state: Enum(printStates, { description: 'The new state.' }),
  note: Type.Optional(
    Type.String({
      maxLength: maxNote,
      description: 'One line about a problem; the state of the shop stays.',
    }),
  ),
})

/** Adds the routes. */
export function printStateRoutes(app: GroupScope, { database }: SvcContext, orders: Orders): void {
  const room = printRoom(database, orders)
  const requested = bodyWithQuery()

  /** The items of an order with a design. @throws SvcError 404 if the order has none */
  async function itemsOf(requestedType: string, id: number) {
    const { type } = orders.of(requestedType)
    const [order] = await room.listed([{ type, id }])
    const items = order && (await room.itemsOf([order])).get(order)
    if (items) return items
    throw new SvcError('svc_order_data_not_found', {
      message: `There is no order ${id} of type ${requestedType} with a design.`,
    })
  }

  /** The body of the responses. @param type as the client has named it */
  const printStatesOf = async (type: string, order_id: number) =>
    ok({
      order_id,
      type,
      items: (await itemsOf(type, order_id)).map(({ item, pieces, isChanged, state }) => ({
        item_id: item || null,
        state: state.state,
        pieces: pieces ?? null,
        is_changed: isChanged,
        note: state.note,
        changed_by: state.changed_by,
        changed_at: state.changed_at,
      })),
    })

  app.get('/:id/print-states', {
    config: { causes: ['svc_order_type_unavailable'], takes: [] },
    schema: {
      operationId: 'get_print_states',
      summary: 'Get the print states of an order',
      description: 'What became of each item in the print room.',
      params: IdParams,
      querystring: Type.Object({ type: OrderTypeName('wc') }),
      response: responses(200, PrintStates),
    },
    handler: ({ params, query }) => printStatesOf(query.type ?? 'wc', params.id),
  })

  app.patch('/:id/print-states', {
    config: { causes: ['svc_order_item_not_found', 'svc_order_type_unavailable'], takes: [] },
    schema: {
      operationId: 'set_print_state',
      summary: 'Set the print state of an order',
      description: 'That of one item, or of all. The state of the order in the shop stays.',
      params: IdParams,
      body: StateToSet,
      response: responses(200, PrintStates),
    },
    handler: async (request) => {
      const { id } = request.params
      const { type: requestedType = 'wc', item_id: itemId, state, note } = requested(request)
      const { type } = orders.of(requestedType)
      const items = itemId === undefined ? await itemsOf(requestedType, id) : [{ type, id, item: itemId }]
      const refs = items.map(({ item }) => ({ type, id, item }))
      await room.mark(refs, { state, note, by: principalOf(request).name })
      return printStatesOf(requestedType, id)
    },
  })
}
