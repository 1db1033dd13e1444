// Which fields of a form say what an entry ordered.
import t from 'tap'
import { fieldsOf, orderedOf } from '../../../src/orders/form-fields.ts'

const design = { id: 9, type: 'textarea', cssClass: 'wide svc-order' }

const ordered = (fields: object[], entry: Record<string, string>) => {
  const found = fieldsOf(JSON.stringify({ title: 'Shirts', fields: [...fields, design] }))
  return found && orderedOf(found, (key) => entry[key] ?? '')
}

t.test(
  'orderedOf: choices, numbers and short texts are attributes, without empty ones and the customer',
  async (t) => {
    const parts = (id: number) => [1, 2, 3].map((part) => ({ id: `${id}.${part}` }))
    const fields = [
      { id: 1, type: 'name', label: 'Name', inputs: parts(1) },
      { id: 2, type: 'email', label: 'E-mail' },
      { id: 3, type: 'select', label: 'Size &amp; fit' },
      { id: 4, type: 'checkbox', label: 'Extras', inputs: parts(4) },
      { id: 5, type: 'option', label: 'Paper' },
      { id: 6, type: 'textarea', label: 'Note' },
      { id: 7, type: 'radio', label: 'Color' },
      { id: 8, type: 'quantity', label: 'Pieces' },
    ]
    const entry = {
      '1.1': 'Ada',
      2: 'ada@shop.example',
      3: 'XL',
      '4.1': 'Gift',
      '4.3': 'Card',
      5: 'A|B|2.5',
      6: 'Please hurry',
      8: ' 12 ',
      9: '{}',
    }
    t.strictSame(ordered(fields, entry), {
      attributes: [
        { name: 'Size & fit', value: 'XL' },
        { name: 'Extras', value: 'Gift, Card' },
        { name: 'Paper', value: 'A|B' },
      ],
      quantity: '12',
    })
  },
)

t.test('orderedOf: a single product has its name and its quantity', async (t) => {
  const inputs = ['5.1', '5.2', '5.3'].map((id) => ({ id }))
  const product = { id: 5, type: 'product', label: 'Product', inputs }
  const entry = { '5.1': 'Mug', '5.2': '$ 9.00', '5.3': '4' }
  t.strictSame(ordered([product], entry), { attributes: [{ name: 'Product', value: 'Mug' }], quantity: '4' })
  t.strictSame(ordered([product], {}), { attributes: [] })
  t.strictSame(ordered([null as never, { type: 'text' }], {}), { attributes: [] })
})

t.test('fieldsOf: undefined for a form without a field for designs', async (t) => {
  t.equal(fieldsOf('{"title":"Contact","fields":[{"id":1,"type":"text"}]}'), undefined)
})
