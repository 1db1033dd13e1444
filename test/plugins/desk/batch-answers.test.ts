// A batch that is sent back: problems without a note, pages that fit onto no sheet, entries and pieces that differ.
import { sql } from 'kysely'
import t from 'tap'
import { shopOrder } from '../../support/fixtures/shop.ts'
import type { TestHost } from '../../support/hosts/build.ts'
import { deskShop } from '../../support/hosts/desk.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

const front = { ...viewWith(textElement('Ada')), title: 'Front' }
const design = { product: [front] }

const orderOf = (host: TestHost, quantity: string, ...designs: unknown[]) =>
  shopOrder(host, 'posts', {
    status: 'wc-processing',
    items: designs.map((each) => ({
      name: 'Shirt',
      meta: [
        ['_svc_data', JSON.stringify(each)],
        ['_qty', quantity],
      ] as [string, string][],
    })),
  })

t.test('POST /desk/batch: a problem needs a note, and ticks and note stay on the page', async (t) => {
  const { host, client } = await deskShop(t, 'SQLite', design)
  const { id, items } = await orderOf(host, '1', design, design)
  const batch = await client.get(`batch?orders=wc:${id}`)
  const second = `wc:${id}:${items[1]}`
  const refused = await client.submit(batch, 'batch', { do: 'problem', item: second })
  t.equal(refused.status, 400)
  t.match(refused.texts('[role=alert]'), ['A problem needs a note: write what is wrong. Nothing was done.'])
  const ticked = refused.document.querySelectorAll('#batch [name=item]:checked')
  t.same(
    Array.from(ticked, (box) => box.getAttribute('value')),
    [second],
  )
  const unticked = await client.submit(batch, 'batch', { do: 'problem', item: undefined, note: 'No "white"' })
  t.equal(unticked.status, 400)
  t.match(unticked.texts('[role=alert]').join(), 'No item is selected.')
  t.equal(unticked.document.querySelector('[name=note]')?.getAttribute('value'), 'No "white"')
  t.same((await client.get('orders?work=problem')).texts('.orders .name'), [])
})

t.test('POST /desk/batch: how many print files are made, could not be started, or are left', async (t) => {
  const { host, client } = await deskShop(t, 'SQLite', design)
  const { id, items } = await orderOf(host, '1', design, design)
  const address = `batch?orders=wc:${id}`
  const batch = await client.get(address)
  await sql`update wp_woocommerce_order_itemmeta set meta_value = '{oops'
    where order_item_id = ${items[1]} and meta_key = '_svc_data'`.execute(host.connection.db)
  const sent = await client.submit(batch, 'batch', { do: 'print' })
  t.match(sent.headers.location, 'said=print&count=1&refused=1&left=0')
  const noticeOf = async (query: string) => (await client.get(`${address}&${query}`)).texts('.notice').join()
  const made = '1 print file is being made.'
  t.equal(
    await noticeOf('said=print&count=1&refused=1'),
    `${made} 1 could not be started: the pages of their orders say why.`,
  )
  t.equal(await noticeOf('said=print&count=1&left=2'), `${made} 2 are left: press “Make print files” again.`)
  t.equal(await noticeOf('said=reprint&count=3'), '3 items marked for reprint.')
  for (const unknown of ['said=toString', 'said=', 'count=3']) t.equal(await noticeOf(unknown), '', unknown)
})

t.test('POST /desk/mark: a problem needs a note', async (t) => {
  const { host, client } = await deskShop(t, 'SQLite', design)
  const { id } = await orderOf(host, '1', design)
  const page = await client.get(`order?type=wc&id=${id}`)
  const { headers } = await client.submit(page, 'mark', { state: 'problem', note: ' ' })
  t.match((await client.get(headers.location ?? '')).texts('[role=alert]').join(), 'A problem needs a note')
  t.same((await client.get('orders?work=problem')).texts('.orders .name'), [])
})

t.test('POST /desk/batch: a page that fits onto no sheet is named, on the page of the batch', async (t) => {
  const { host, client } = await deskShop(t, 'SQLite', design, {
    renderer: { sheet: { width: 60, height: 60 } },
  })
  const { id, items } = await orderOf(host, '1', design)
  const batch = await client.get(`batch?orders=wc:${id}`)
  const refused = await client.submit(batch, 'batch', { do: 'sheets' })
  t.equal(refused.status, 422)
  t.match(
    refused.texts('[role=alert]').join(),
    new RegExp(
      `Shop ${id}, item ${items[0]}: Front".*does not fit onto a sheet.*Leave it out, or make the sheets larger`,
    ),
  )
  t.equal(refused.document.querySelectorAll('#batch [name=item]:checked').length, 1)
})

t.test('GET /desk/batch?check=all: entries of names and numbers that differ from the pieces', async (t) => {
  const { host, client } = await deskShop(t, 'SQLite', design)
  const names_numbers = ['Kim', 'Okoye', 'Lindqvist'].map((name) => ({ name, number: '7' }))
  const named = { product: [front, { ...front, title: 'Back', names_numbers }] }
  const checkOf = async (quantity: string) => {
    const { id } = await orderOf(host, quantity, named)
    return (await client.get(`batch?check=all&orders=wc:${id}`)).texts('.found').join()
  }
  t.match(
    await checkOf('5'),
    'There are 3 entries of names and numbers for 5 pieces; each entry is printed once.',
  )
  t.notMatch(await checkOf('3'), 'entries of names')
})

t.test(
  'GET /desk/check: leads back to its order by name, and makes the print file of what can be printed',
  async (t) => {
    const { host, client } = await deskShop(t, 'SQLite', design)
    const { id, items } = await orderOf(host, '1', design)
    const page = await client.get(`check?type=wc&id=${id}&item=${items[0]}`)
    t.match(page.texts('main a')[0], `Back to Shop ${id}`)
    const { status, headers } = await client.submit(page, 'print')
    t.equal(status, 303)
    t.match((await client.get(headers.location ?? '')).texts('#jobs').join(), /\S/)
    t.equal((await host.call('GET', '/print-jobs')).body.meta.total, 1)
  },
)
