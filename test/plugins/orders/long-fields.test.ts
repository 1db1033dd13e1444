// Names and other fields of customers, which the CMS stores in any length.
import t from 'tap'
import { onEachDialect } from '../../support/hosts/build.ts'
import { addForm, deskShop, formEntry, wcOrder } from '../../support/hosts/desk.ts'

const design = { product: [{ title: 'F', elements: [], options: {} }] }
const long = 'x'.repeat(3_000_000)

t.test('GET /orders, GET /desk/order: a customer whose name is very long does not stop the lists', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { client, host } = await deskShop(t, engine, design)
    const form = await addForm(host)
    const order = await wcOrder(host, '2026-06-01 08:00:00', [design], { first: long, last: 'Doe' })
    const entry = await formEntry(host, form, {
      created: '2026-05-01 08:00:00',
      name: long,
      mail: 'g@navy.example',
      design,
    })
    for (const [type, id] of [
      ['wc', order.id],
      ['gf', entry],
    ] as const) {
      const { status, body } = await host.call('GET', `/orders?type=${type}&include=${id}`)
      t.equal(status, 200)
      t.ok(body.data[0].customer_name.startsWith('xxx'))
      t.ok(body.data[0].customer_name.length <= 2000)
      const page = await client.get(`order?type=${type}&id=${id}`)
      t.equal(page.status, 200)
      t.ok(page.text.length < 50_000, `${page.text.length} characters`)
    }
    t.ok((await client.get('orders')).text.length < 100_000)
  }),
)

t.test('GET /desk/order: titles of views and names of areas are cut', async (t) => {
  const area = {
    id: long,
    name: long,
    printingBox: { left: 0, top: 0, width: 9, height: 9 },
    output: { width: 9, height: 9 },
  }
  const options = { stageWidth: 100, stageHeight: 100, printAreas: [area] }
  const { client, id } = await deskShop(t, 'SQLite', { product: [{ title: long, elements: [], options }] })
  const page = await client.get(`order?type=wc&id=${id}`)
  t.equal(page.status, 200)
  t.ok(page.text.length < 50_000, `${page.text.length} characters`)
})
