// The design of an order for a caller that knows only ids.
import t from 'tap'
import { SvcError } from '../../../src/core/errors.ts'
import type { Orders, OrdersOfType } from '../../../src/orders/orders.ts'
import { customizationOf } from '../../../src/orders/whole-order.ts'

const found = (itemId: number | null, json: string | undefined) => ({
  found: { itemId, key: '_svc_data', value: '', location: { table: 'meta', row: 1, column: 'meta_value' } },
  json,
})

/** Orders of one type, of which the requested items are these. */
function ordersWith(type: string, items: ReturnType<typeof found>[], asked: unknown[] = []): Orders {
  const get = async (id: number, part: object) => {
    asked.push([id, part])
    if (id === 404) throw new SvcError('svc_order_data_not_found')
    return { items, state: '' }
  }
  const details = async () => ({ items: [{ id: 2, name: 'Mug', quantity: '3', total: '' }] })
  return { of: () => ({ type, get, details }) as unknown as OrdersOfType }
}

t.test(
  'of an order of the shop without an item all items are one design, each as often as ordered',
  async (t) => {
    const asked: unknown[] = []
    const designOf = customizationOf(ordersWith('wc', [found(1, '[1]'), found(2, '[2]')], asked))
    const whole = JSON.parse(String(await designOf({ type: 'wc', orderId: '7', itemId: 0 })))
    t.same(asked, [[7, {}]])
    t.match(JSON.stringify(whole), /Order 7, item 1.*Order 7, item 2/)
    t.match(JSON.stringify(whole), /"copies":3/)
  },
)

t.test('of an item, and of orders without items, it is the design itself', async (t) => {
  const asked: unknown[] = []
  const items = [found(1, '[1]')]
  t.equal(
    await customizationOf(ordersWith('wc', items, asked))({ type: 'wc', orderId: '7', itemId: 1 }),
    '[1]',
  )
  t.equal(
    await customizationOf(ordersWith('gf', items, asked))({ type: 'gf', orderId: '8', itemId: 0 }),
    '[1]',
  )
  t.same(asked, [
    [7, { itemId: 1 }],
    [8, { itemId: undefined }],
  ])
})

t.test('what is gone or unreadable has none, and a failure of the server stays one', async (t) => {
  const designOf = customizationOf(ordersWith('gf', [found(null, undefined)]))
  t.equal(await designOf({ type: 'gf', orderId: '7', itemId: 0 }), undefined)
  t.equal(await designOf({ type: 'gf', orderId: '404', itemId: 0 }), undefined)
  const unreadable = customizationOf(ordersWith('wc', [found(1, undefined)]))
  await t.rejects(unreadable({ type: 'wc', orderId: '7', itemId: 0 }), {
    code: 'svc_unreadable_value',
    statusCode: 500,
  })
})

t.test('customizationOf: 413 for an order whose items are too large together to be parsed', async (t) => {
  const large = `[${'1,'.repeat(300_000)}1]`
  const designOf = customizationOf(ordersWith('wc', [found(1, large), found(2, large)]))
  await t.rejects(designOf({ type: 'wc', orderId: '7', itemId: 0 }), {
    code: 'svc_list_too_large',
    message: /one by one/,
  })
})
