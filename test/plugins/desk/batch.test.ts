// The work of a print room on the desk: what is to be printed, batches of orders, and print states.
import { Kysely } from 'kysely'
import t from 'tap'
import { nodeSqlite } from '../../../src/db/sqlite.ts'
import { shopOrder } from '../../support/fixtures/shop.ts'
import { freshAddress, onEachEngine, type TestHost } from '../../support/hosts/build.ts'
import { addForm, deskShop, formEntry, shortcodeOrder } from '../../support/hosts/desk.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

const design = { product: [viewWith(textElement('Ada Lovelace'))] }
const json = JSON.stringify(design)

/** A day in the last weeks, as the shop stores it. */
const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19).replace('T', ' ')

const shirt = (quantity: string, more: [string, string][] = []) => ({
  name: 'Shirt',
  meta: [['_svc_data', json], ['_qty', quantity], ...more] as [string, string][],
})

const orderOf = (host: TestHost, days: number, status: string, items = [shirt('1')]) =>
  shopOrder(host, 'posts', { created: daysAgo(days), status, items })

const tokenIn = (page: { document: Document }) =>
  page.document.querySelector('[name=_form]')?.getAttribute('value') ?? ''

t.test('GET /desk/orders?work=to_print: printable orders of all sources, and how many are left out', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, client } = await deskShop(t, engine, design, { desk: { authorize: () => 'anna' } })
    const paid = await orderOf(host, 1, 'wc-processing', [shirt('3', [['Size', 'XL']])])
    await orderOf(host, 2, 'wc-on-hold')
    await orderOf(host, 3, 'wc-cancelled')
    await orderOf(host, 200, 'wc-processing')
    const form = await addForm(host, 'T-shirt form')
    const sent = { name: 'Grace', mail: '', design }
    const entry = await formEntry(host, form, { ...sent, created: daysAgo(2) })
    const code = await shortcodeOrder(host, { customer_name: 'Z', customer_mail: '', views: design.product })
    const page = await client.get('orders?work=to_print&sort=oldest')
    t.same(page.texts('.orders .name'), [
      `Form ${entry}, T-shirt form`,
      `Shop ${paid.id}`,
      `Website order ${code}`,
    ])
    t.match(page.texts('main > .remark').join(), 'Left out: 1 cancelled, 1 on-hold.')
    t.match(page.texts('.items').join(), /Shirt Size: XL 3 pieces/)
    t.match(page.texts('.numbers li')[0], '3 to print')
    t.same(
      (await client.get('orders?work=to_print&product=shirt&status=processing')).texts('.orders .name'),
      [`Shop ${paid.id}`],
    )
    t.same((await client.get('orders?work=to_print&q=t-shirt%20form')).texts('.orders .name'), [
      `Form ${entry}, T-shirt form`,
    ])
  }),
)

t.test('POST /desk/mark: who marked an item as printed, when, and that it was changed afterwards', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, client } = await deskShop(t, engine, design, {
      audit: true,
      desk: { authorize: () => ({ name: 'anna', scopes: ['write'] as const }) },
    })
    const { id, items } = await orderOf(host, 1, 'wc-processing')
    const link = `order?type=wc&id=${id}&item=${items[0]}`
    const page = await client.get(link)
    const marked = await client.submit(page, 'mark', { state: 'printed' })
    t.equal(marked.headers.location, `${link}&said=printed&count=1`)
    t.match((await client.get(link)).texts('main').join(), /Printed, anna, \d{4}-\d\d-\d\d \d\d:\d\d/)
    t.same((await client.get('orders?work=to_print')).texts('.orders .name'), [])
    t.same((await client.get('orders?work=printed')).texts('.orders .name'), [`Shop ${id}`])
    t.same((await client.get('orders?work=changed')).texts('.orders .name'), [])
    t.match(
      (await client.get('audit')).texts('tbody tr')[0],
      `print state wc:${id}:${items[0]} updated annaset_print_state`,
    )

    const order = { product: [{ title: 'Back', elements: [] }] }
    await host.call('PATCH', `/orders/${id}`, { item_id: items[0], order })
    t.same((await client.get('orders?work=changed')).texts('.orders .name'), [`Shop ${id}`])
    t.match((await client.get(link)).texts('.why').join(), 'changed after it was marked as printed')

    const problem = await client.submit(page, 'mark', { state: 'problem', note: 'No white <b>ink</b>' })
    t.equal(problem.status, 303)
    t.match((await client.get('orders?work=problem')).texts('.items').join(), 'No white <b>ink</b>')
    t.equal((await client.submit(page, 'mark', { state: 'problem', note: 'x'.repeat(501) })).status, 400)
    t.equal((await client.submit(page, 'mark', { state: 'lost' })).status, 404)
    t.equal((await client.submit(page, 'mark', { state: 'printed', item: '4711' })).status, 404)
  }),
)

t.test('GET /desk/orders?work=changed: fewer pieces after a refund count as a change', async (t) => {
  const { host, client } = await deskShop(t, 'SQLite', design)
  const { id, items } = await orderOf(host, 1, 'wc-processing', [shirt('3')])
  await client.submit(await client.get(`order?type=wc&id=${id}`), 'mark', { state: 'printed' })
  t.same((await client.get('orders?work=changed')).texts('.orders .name'), [])
  const refunded: [string, string][] = [
    ['_refunded_item_id', String(items[0])],
    ['_qty', '-2'],
  ]
  const refund = await shopOrder(host, 'posts', { type: 'shop_order_refund', items: [{ meta: refunded }] })
  await host.connection.db
    .updateTable('wp_posts' as never)
    .set({ post_parent: id } as never)
    .where('ID' as never, '=', refund.id as never)
    .execute()
  const page = await client.get('orders?work=changed')
  t.same(page.texts('.orders .name'), [`Shop ${id}`])
  t.match(page.texts('.items').join(), '1 piece (3 ordered, 2 refunded)')
})

t.test('POST /desk/batch: chosen orders are checked, printed as one PDF and on sheets, and marked', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, client } = await deskShop(t, engine, design)
    const first = await orderOf(host, 2, 'wc-processing', [shirt('2'), shirt('1')])
    const second = await orderOf(host, 1, 'wc-processing')
    const list = await client.get('orders?work=to_print&choose=all')
    const chosen = await client.submit(list, 'choose')
    t.equal(chosen.headers.location, `batch?orders=${encodeURIComponent(`wc:${second.id},wc:${first.id}`)}`)
    const batch = await client.get(chosen.headers.location ?? '')
    t.equal(batch.document.querySelectorAll('#batch [name=item]:checked').length, 3)
    const checked = await client.submit(batch, 'batch', { do: 'check' })
    t.equal((await client.get(checked.headers.location ?? '')).texts('.good').length, 3)

    const pdf = await client.submit(batch, 'batch', { do: 'pdf' })
    t.match(pdf.headers['content-disposition'], /"orders-\d{4}-\d\d-\d\d-\d{6}\.pdf"$/)
    t.equal(pdf.text.match(/\/Type \/Page\b/g)?.length, 3)
    const sheets = await client.submit(batch, 'batch', { do: 'sheets' })
    t.match(sheets.text, /^%PDF/)
    const zip = await client.submit(batch, 'batch', { do: 'zip' })
    t.match(zip.headers.location, 'said=unfinished&count=3')
    const done = await client.submit(batch, 'batch', { do: 'printed' })
    t.match(
      (await client.get(done.headers.location ?? '')).texts('[role=status]').join(),
      '3 items marked as printed.',
    )
    t.same((await client.get('orders?work=to_print')).texts('.orders .name'), [])
    const none = await client.submit(batch, 'batch', { do: 'printed', item: undefined })
    t.match(
      (await client.get(none.headers.location ?? '')).texts('[role=alert]').join(),
      'No item is selected.',
    )
  }),
)

t.test(
  'POST /desk/batch: print files are made once for each item and design, and come in one ZIP file',
  async (t) => {
    const { host, client } = await deskShop(t, 'SQLite', design)
    const { id, items } = await orderOf(host, 1, 'wc-processing', [shirt('2'), shirt('1')])
    const batch = await client.get(`batch?orders=wc:${id}`)
    t.match((await client.submit(batch, 'batch', { do: 'print' })).headers.location, 'said=print&count=2')
    t.match((await client.submit(batch, 'batch', { do: 'print' })).headers.location, 'said=print&count=0')
    while ((await host.call('GET', '/print-jobs?status=completed')).body.meta.total < 2)
      await new Promise((resolve) => setTimeout(resolve, 100))
    const zip = await client.submit(batch, 'batch', { do: 'zip' })
    t.match(zip.text, /^PK/)
    t.equal((zip.text.match(/\.pdf/g)?.length ?? 0) / 2, 2)

    const order = { product: [viewWith(textElement('Grace Hopper'))] }
    await host.call('PATCH', `/orders/${id}`, { item_id: items[1], order })
    for (const address of ['orders', `batch?orders=wc:${id}`])
      t.same(
        (await client.get(address)).texts('.items .why'),
        ['The design was changed after its file was made.'],
        address,
      )
    t.match((await client.submit(batch, 'batch', { do: 'zip' })).headers.location, 'said=unfinished&count=1')
    t.match((await client.submit(batch, 'batch', { do: 'print' })).headers.location, 'said=print&count=1')
  },
)

t.test(
  'POST /desk/batch and /desk/mark: nothing without rights, a token of this desk, or a known button',
  async (t) => {
    const readers = { authorize: () => ({ name: 'anna', scopes: ['orders:read'] as const }) }
    const { host, client } = await deskShop(t, 'SQLite', design, { desk: readers })
    const { id, items } = await orderOf(host, 1, 'wc-processing')
    const batch = await client.get(`batch?orders=wc:${id}`)
    const token = tokenIn(batch as never)
    t.equal((await client.submit(batch, 'batch', { do: 'printed' })).status, 403)
    t.equal((await client.submit(batch, 'batch', { do: 'pdf', _form: 'x' })).status, 403)
    t.equal((await client.submit(batch, 'batch', { do: 'nothing' })).status, 403)
    const item = ['item', String(items[0])] as [string, string]
    const fields: [string, string][] = [
      ['_form', token],
      ['type', 'wc'],
      ['id', String(id)],
      item,
      ['state', 'printed'],
    ]
    t.equal((await client.post('mark', fields)).status, 403)
    t.equal((await client.submit(batch, 'batch', { do: 'check' })).status, 303)
    t.match((await client.get('batch?orders=')).texts('main').join(), 'no designs any more')
  },
)

t.test('GET /desk/batch?check=all: as many statements for six orders as for two', async (t) => {
  const address = await freshAddress(t, 'SQLite')
  let statements: string[] = []
  const database = new Kysely({
    dialect: nodeSqlite(address.slice('sqlite:'.length)),
    log: ({ query }) => {
      statements.push(query.sql)
    },
  })
  t.teardown(() => database.destroy())
  const { host, client } = await deskShop(t, 'SQLite', design, { address, database })
  const refs: string[] = []
  for (let days = 1; days <= 6; days++) refs.push(`wc:${(await orderOf(host, days, 'wc-processing')).id}`)
  const sentFor = async (path: string) => {
    await client.get(path)
    statements = []
    t.equal((await client.get(path)).status, 200)
    return statements.filter((sql) => !sql.includes(host.t.options)).length
  }
  const [two, six] = [refs.slice(0, 2).join(), refs.join()]
  const checks = await sentFor(`batch?check=all&orders=${two}`)
  t.ok(checks > 0)
  t.equal(await sentFor(`batch?check=all&orders=${six}`), checks)
  t.equal(await sentFor(`tickets?orders=${six}`), await sentFor(`tickets?orders=${two}`))
})
