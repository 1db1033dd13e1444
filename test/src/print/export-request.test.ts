// What an export takes from a stored design: the same from small and large ones.
import t from 'tap'
import { printedDesign } from '../../../src/print/export-request.ts'

const long = '12345678901234567890'
const order = (elements: string) =>
  `{"svc_product":[{"title":"Front","options":{"stageWidth":400,"other":1},"elements":[${elements}]}],` +
  `"usedFonts":["A"],"variation_printful":{"id":${long}}}`
const design = (elements: string) =>
  `{"product_data":[{"options":{"stageWidth":400},"elements":[${elements}]}],"used_fonts":["A"]}`

t.test('printedParts: numbers keep their digits, whatever the length of the design', async (t) => {
  for (const count of [1, 50_000]) {
    const elements = Array(count).fill(long).join()
    const parts = await printedDesign(order(elements))
    t.ok(parts.design === design(elements), `${count} elements`)
    t.equal(JSON.stringify(parts.variation_printful), `{"id":${long}}`)
  }
})

t.test('printedParts: what holds no design gives empty parts', async (t) => {
  for (const text of ['{}', '[]', '5', '{"svc_product":"x"}'])
    t.same(await printedDesign(text), {
      design: '{"product_data":[],"used_fonts":[]}',
      variation_printful: null,
    })
})

t.test('printedParts: a variation of megabytes is refused, whatever else the design holds', async (t) => {
  for (const length of [70_000, 2_000_000]) {
    const text = JSON.stringify({ svc_product: [], variation_printful: { id: 'x'.repeat(length) } })
    t.throws(() => printedDesign(text), { code: 'svc_unreadable_value', statusCode: 409 }, String(length))
  }
})
