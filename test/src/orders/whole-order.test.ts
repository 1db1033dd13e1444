// The design of an order for a caller that knows only ids.
import t from 'tap'
import { SvcError } from '../../../src/core/errors.ts'
import type { Orders, OrdersOfType } from '../../../src/orders/orders.ts'
import { paidStatuses } from '../../../src/orders/printable.ts'
import { orderOfJob } from '../../../src/orders/whole-order.ts'

const found = (itemId: number | null, json: string | undefined) => ({
  stored: { itemId, key: '_svc_data', value: '', location: { table: 'meta', row: 1, column: 'meta_value' } },
  json,
})

/** Orders of one type, of which the requested items are these. */
function ordersWith(type: string, items: ReturnType<typeof found>[], asked: unknown[] = []): Orders {
  const get = async (id: number, part: object) => {
    asked.push([id, part])
    if (id === 404) throw new SvcError('svc_order_data_not_found')
    return { values: items, state: '' }
  }
  const mug = { name: 'Mug', sku: '', product_id: null, variation_id: null, attributes: [] }
  const facts = async () => ({
    status: type === 'wc' ? 'processing' : 'active',
    items: new Map([
      [1, { ...mug, quantity: 1, refunded: 0 }],
      [2, { ...mug, quantity: 5, refunded: 2 }],
    ]),
  })
  return { of: () => ({ type, get, facts }) as unknown as OrdersOfType }
}

const printable = async () => paidStatuses

t.test(
  'orderOfJob: all items of a shop order as one design, each as often as ordered less refunded',
  async (t) => {
    const asked: unknown[] = []
    const printed = orderOfJob(ordersWith('wc', [found(1, '[1]'), found(2, '[2]')], asked), printable)
    const order = await printed({ type: 'wc', orderId: '7', itemId: 0 })
    const whole = JSON.parse(order?.customization ?? '')
    t.same(asked, [[7, {}]])
    t.match(JSON.stringify(whole), /Order 7, item 1.*Order 7, item 2/)
    t.match(JSON.stringify(whole), /"copies":3/)
    t.match(order?.findings, [{ code: 'order-refund', message: /2 pieces were refunded; 3 of 5 are left/ }])
  },
)

t.test('orderOfJob: the design itself of an item, and of orders without items', async (t) => {
  const asked: unknown[] = []
  const items = [found(1, '[1]')]
  for (const [type, orderId, itemId] of [
    ['wc', '7', 1],
    ['gf', '8', 0],
  ] as const) {
    const printed = await orderOfJob(ordersWith(type, items, asked), printable)({ type, orderId, itemId })
    t.equal(printed?.customization, '[1]')
  }
  t.same(asked, [
    [7, { itemId: 1 }],
    [8, { itemId: undefined }],
  ])
})

t.test(
  'orderOfJob: undefined for an order that is gone or unreadable; a failure of the server stays one',
  async (t) => {
    const designOf = orderOfJob(ordersWith('gf', [found(null, undefined)]), printable)
    t.equal(await designOf({ type: 'gf', orderId: '7', itemId: 0 }), undefined)
    t.equal(await designOf({ type: 'gf', orderId: '404', itemId: 0 }), undefined)
    const unreadable = orderOfJob(ordersWith('wc', [found(1, undefined)]), printable)
    await t.rejects(unreadable({ type: 'wc', orderId: '7', itemId: 0 }), {
      code: 'svc_unreadable_value',
      statusCode: 500,
    })
  },
)

t.test('orderOfJob: 413 for an order whose items are too large together to be parsed', async (t) => {
  const large = `[${'1,'.repeat(300_000)}1]`
  const printed = orderOfJob(ordersWith('wc', [found(1, large), found(2, large)]), printable)
  await t.rejects(printed({ type: 'wc', orderId: '7', itemId: 0 }), {
    code: 'svc_list_too_large',
    message: /one by one/,
  })
})
