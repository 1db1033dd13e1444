// Tickets: a page for each item, with what was bought and a QR code that another reader decodes.
import t from 'tap'
import { shopOrder } from '../../support/fixtures/shop.ts'
import { onEachEngine, type TestHost } from '../../support/hosts/build.ts'
import { addForm, deskShop, formEntry, shortcodeOrder } from '../../support/hosts/desk.ts'
import { decodedQr } from '../../support/peers/qr-reader.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

const front = { ...viewWith(textElement('Ada')), title: 'Front' }
const locked = { ...viewWith(textElement('Extra')), title: 'Sleeve', locked: true }
const design = { product: [front, locked, { ...front, title: 'Back' }] }

const shirt = (quantity: string, more: [string, string][] = []) => ({
  name: 'Shirt <b>&amp;</b> more',
  meta: [['_svc_data', JSON.stringify(design)], ['_qty', quantity], ...more] as [string, string][],
})

const orderOf = (host: TestHost, items = [shirt('2')], more: object = {}) =>
  shopOrder(host, 'posts', { created: '2026-04-01 10:00:00', status: 'wc-processing', items, ...more })

t.test('GET /desk/tickets: a page for each item of an order, with a QR code of its page', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, client } = await deskShop(t, engine, design)
    const { id, items } = await orderOf(host, [shirt('3', [['Size', '"XL" & more']]), shirt('2.5')])
    const page = await client.get(`tickets?orders=wc:${id}`)
    t.same(page.texts('.ticket h2'), [`Shop ${id}`, `Shop ${id}`])
    t.match(page.texts('.pieces')[0], '3 pieces')
    t.match(page.texts('.ticket dl')[0], /Size\s*"XL" & more/)
    t.same(page.document.querySelectorAll('main b, main script').length, 0)
    t.match(page.texts('.findings').join(), 'not a whole number of pieces')
    t.same(page.texts('.ticket')[0]?.match(/Front|Sleeve|Back/g), ['Front', 'Back'])
    t.same(
      Array.from(page.document.querySelectorAll('img'), (img) => img.getAttribute('src'))[1],
      `preview?type=wc&id=${id}&item=${items[0]}&view=2&width=800`,
    )
    const [code] = page.document.querySelectorAll('svg.code')
    t.equal(
      await decodedQr(code?.outerHTML ?? ''),
      `http://localhost/desk/order?type=wc&id=${id}&item=${items[0]}#item-${items[0]}`,
    )
    const order = await client.get(`order?type=wc&id=${id}`)
    t.ok(order.document.querySelector(`[href="tickets?orders=wc:${id}"]`))
    t.ok(order.document.querySelector(`#item-${items[0]}`))
  }),
)

t.test('GET /desk/tickets: orders of forms and of the website, and the option deskUrl', async (t) => {
  const { host, client } = await deskShop(t, 'SQLite', design, { deskUrl: 'https://shop.example/press/' })
  const form = await addForm(host, 'T-shirt form')
  const entry = await formEntry(host, form, {
    created: '2026-04-01 10:00:00',
    name: 'Grace',
    mail: '',
    design,
  })
  const code = await shortcodeOrder(host, { customer_name: '<i>Z', customer_mail: '', views: design.product })
  const page = await client.get(`tickets?orders=gf:${entry},shortcode:${code}`)
  t.same(page.texts('.ticket h2').sort(), [`Form ${entry}, T-shirt form`, `Website order ${code}`])
  t.match(page.texts('.ticket dl').join(), /<i>Z/)
  const codes = Array.from(page.document.querySelectorAll('svg.code'), (svg) => decodedQr(svg.outerHTML))
  t.same((await Promise.all(codes)).sort(), [
    `https://shop.example/press/order?type=gf&id=${entry}#item-0`,
    `https://shop.example/press/order?type=shortcode&id=${code}#item-0`,
  ])
})

t.test('GET /desk/tickets: findings of the newest print job, and the due date', async (t) => {
  const { host, client } = await deskShop(t, 'SQLite', design)
  const { id, items } = await orderOf(host, [shirt('1')])
  await host.connection.db
    .insertInto('wp_postmeta' as never)
    .values({ post_id: id, meta_key: '_delivery_date', meta_value: '2026-04-29' } as never)
    .execute()
  const before = await client.get(`tickets?orders=wc:${id}`)
  t.same(before.texts('.due'), ['Due 2026-04-29'])
  t.match(before.texts('.unchecked').join(), 'not checked')
  const { status } = await host.call('POST', `/orders/${id}/export`, { item_id: items[0] })
  t.equal(status, 201)
  const after = await client.get(`tickets?orders=wc:${id}`)
  t.same(after.texts('.unchecked'), [])
  t.match(after.texts('.findings').join(), 'Sleeve')
})

t.test('POST /desk/batch: tickets of the chosen items alone', async (t) => {
  const { host, client } = await deskShop(t, 'SQLite', design)
  const { id, items } = await orderOf(host, [shirt('1'), shirt('4')])
  const batch = await client.get(`batch?orders=wc:${id}`)
  const chosen = await client.submit(batch, 'batch', { do: 'tickets', item: `wc:${id}:${items[1]}` })
  t.same(chosen.texts('.pieces'), ['4 pieces'])
  const refused = await client.submit(batch, 'batch', { do: 'tickets', _form: 'x' })
  t.same([refused.status, refused.texts('.ticket')], [403, []])
  t.same((await client.get('tickets?orders=wc:4711')).texts('.ticket'), [])
})

t.test('GET /desk/tickets: 403 without orders:read, and no scripts', async (t) => {
  const readers = { authorize: () => ({ name: 'anna', scopes: ['products:read'] as const }) }
  const { host, client } = await deskShop(t, 'SQLite', design, { desk: readers })
  const { id } = await orderOf(host)
  const page = await client.get(`tickets?orders=wc:${id}`)
  t.equal(page.status, 403)
  t.notMatch(page.text, /Shirt/)
  t.match((await client.get('tickets.css')).headers['content-type'], 'text/css')
})

t.test(
  'GET /desk/tickets: all entries of names and numbers of a view, and how many more there are',
  async (t) => {
    const { host, client } = await deskShop(t, 'SQLite', design)
    const names_numbers = Array.from({ length: 62 }, (_, index) => ({
      name: `<i>Kim ${index}`,
      number: 7,
      size: 'M',
    }))
    const named = {
      product: [
        { ...front, names_numbers },
        { ...locked, names_numbers },
      ],
    }
    const meta: [string, string][] = [
      ['_svc_data', JSON.stringify(named)],
      ['_qty', '62'],
    ]
    const { id } = await orderOf(host, [{ name: 'Jersey', meta }])
    const page = await client.get(`tickets?orders=wc:${id}`)
    const entries = page.texts('.names li')
    t.equal(entries.length, 60)
    t.same([entries[0], entries[59]], ['<i>Kim 0 · 7 · M', '<i>Kim 59 · 7 · M'])
    t.same(page.texts('.names p'), ['Names and numbers of Front', '2 more entries are not shown.'])
  },
)
