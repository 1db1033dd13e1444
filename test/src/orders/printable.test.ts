// How many pieces of an item are printed, and what is reported about quantities.
import t from 'tap'
import { orderFindings, piecesOf } from '../../../src/orders/printable.ts'

const item = (quantity: number | null, refunded: number) => ({
  name: 'Mug',
  sku: '',
  product_id: null,
  variation_id: null,
  attributes: [],
  quantity,
  refunded,
})
const messagesOf = (quantity: number | null, refunded: number) =>
  orderFindings('wc', { status: 'processing', items: new Map([[5, item(quantity, refunded)]]) }, undefined, [
    'processing',
  ]).map(({ code, message }) => `${code}: ${message}`)

t.test('piecesOf: ordered less refunded, undefined for fractions of either', async (t) => {
  const pieces = [
    [3, 2],
    [2, 5],
    [2.5, 0],
    [3, 0.5],
    [0, 0],
    [null, 0],
  ].map(([quantity = null, refunded]) => piecesOf({ quantity, refunded: refunded ?? 0 }))
  t.strictSame(pieces, [1, 0, undefined, undefined, undefined, undefined])
})

t.test('orderFindings: quantities that are no whole number of pieces', async (t) => {
  t.strictSame(messagesOf(3, 0), [])
  t.match(messagesOf(3, 2), [/^order-refund: .* 1 of 3 are left to print/])
  t.match(messagesOf(3, 0.5), [/^order-quantity: .* quantity 3 less 0\.5 refunded, .* not a whole number/])
  t.match(messagesOf(null, 0), [/^order-quantity: .* no quantity that is a number/])
})
