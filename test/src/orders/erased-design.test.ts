// What is left of a design of a customer who was erased, whatever its shape.
import t from 'tap'
import { erasedDesign } from '../../../src/orders/erased-design.ts'

const left = (design: unknown) => JSON.parse(erasedDesign(JSON.stringify(design))?.json ?? 'null')

t.test('amounts stay up to four levels inside one another', (t) => {
  const price = (levels: number): unknown => (levels === 0 ? 7 : { price: price(levels - 1), name: 'Ada' })
  const amounts = (levels: number): unknown => (levels === 0 ? 7 : { price: amounts(levels - 1) })
  for (let levels = 0; levels < 4; levels++) {
    t.strictSame(left({ price: price(levels) }), { price: amounts(levels) }, `${levels}`)
  }
  t.strictSame(left({ price: price(4), tax: 1 }), { tax: 1 })
  t.strictSame(left({ prices: [[[[7]]]], taxes: [[[7]]] }), { taxes: [[[7]]] })
  t.strictSame(left({ price: null, total: 'Ada', totals: { note: 'Ada', currency: 'EUR' } }), {
    totals: { currency: 'EUR' },
  })
  t.end()
})

t.test('erasedDesign: prices of zero are dropped, whatever their spelling', (t) => {
  const prices = ['0', '0.00', '0,00', 0, '2,50']
  const elements = prices.map((price) => ({ parameters: { price } }))
  t.strictSame(left({ product: [{ elements }] }), { product: [{ elements: [], element_prices: ['2,50'] }] })
  t.end()
})

t.test('the design of the older designer lies in one property, and no deeper', (t) => {
  const view = { title: 'Ada', elements: [{ source: 'Ada', parameters: { price: 3 } }] }
  const empty = { elements: [], element_prices: [3] }
  t.strictSame(left({ svc_product: [view] }), { svc_product: [empty] })
  t.strictSame(left({ svc_product: { views: [view], svc_product: [view] } }), {
    svc_product: { views: [empty] },
  })
  t.end()
})

t.test(
  'erasedDesign: a design nested 250 levels deep is emptied like any other, and a deeper one cannot be read',
  (t) => {
    for (const [open, close] of [
      ['{"svc_product":', '}'],
      ['{"price":', '}'],
      ['[', ']'],
      ['{"product":[', ']}'],
    ] as const) {
      const deep = (levels: number) => `${open.repeat(levels)}7${close.repeat(levels)}`
      t.ok(Number(erasedDesign(deep(250))?.json.length) < 100, open)
      t.equal(erasedDesign(deep(100_000)), undefined, open)
    }
    t.end()
  },
)
