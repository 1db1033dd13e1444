// How many pieces of an item are printed, and what is reported about quantities.
import t from 'tap'
import { orderFindings, piecesOf, piecesText } from '../../../src/orders/printable.ts'

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

t.test('piecesText: how many pieces are printed, and why not all', async (t) => {
  const textOf = (quantity: number | null, refunded = 0) => {
    const item = { quantity, refunded }
    return piecesText(item, piecesOf(item))
  }
  t.same(
    [1, 3].map((quantity) => textOf(quantity)),
    ['1 piece', '3 pieces'],
  )
  t.equal(textOf(3, 2), '1 piece (3 ordered, 2 refunded)')
  t.equal(textOf(2, 2), '0 pieces (2 ordered, 2 refunded)')
  t.equal(textOf(null), 'Quantity unknown, which is no whole number of pieces')
  t.equal(textOf(2.5, 1), 'Quantity 2.5 less 1 refunded, which is no whole number of pieces')
})

t.test('orderFindings: quantities that are no whole number of pieces', async (t) => {
  t.strictSame(messagesOf(3, 0), [])
  t.match(messagesOf(3, 2), [/^order-refund: .* 1 of 3 are left to print/])
  t.match(messagesOf(3, 0.5), [/^order-quantity: .* quantity 3 less 0\.5 refunded, .* not a whole number/])
  t.match(messagesOf(null, 0), [/^order-quantity: .* no quantity that is a number/])
})
