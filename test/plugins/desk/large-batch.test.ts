// A batch of orders with more items than its page shows: tickets, and the ZIP of the finished print files.
import { mkdir, writeFile } from 'node:fs/promises'
import t from 'tap'
import { shopOrder } from '../../support/fixtures/shop.ts'
import { deskShop } from '../../support/hosts/desk.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

const design = { product: [viewWith(textElement('Ada'))] }
const json = JSON.stringify(design)
const [orders, itemsOfOrder, shownItems] = [12, 50, 500]

t.test('POST /desk/batch: tickets and ZIP of all 500 items that the page shows', async (t) => {
  const { host, client, dir } = await deskShop(t, 'SQLite', design)
  const ids: number[] = []
  for (let order = 0; order < orders; order++)
    ids.push((await shopOrder(host, 'posts', { status: 'wc-processing' })).id)
  const items = ids.flatMap((order_id, order) =>
    Array.from({ length: itemsOfOrder }, (_, index) => ({
      order_item_id: 1000 + order * itemsOfOrder + index,
      order_item_name: 'Shirt',
      order_item_type: 'line_item',
      order_id,
    })),
  )
  const meta = items.flatMap(({ order_item_id }) => [
    { order_item_id, meta_key: '_svc_data', meta_value: json },
    { order_item_id, meta_key: '_qty', meta_value: '1' },
  ])
  const { db } = host.connection
  await db
    .insertInto('wp_woocommerce_order_items' as never)
    .values(items as never)
    .execute()
  await db
    .insertInto('wp_woocommerce_order_itemmeta' as never)
    .values(meta as never)
    .execute()

  const address = `batch?orders=${ids.map((id) => `wc:${id}`).join()}`
  const batch = await client.get(address)
  t.equal(batch.document.querySelectorAll('#batch [name=item]:checked').length, shownItems)
  const tickets = await client.submit(batch, 'batch', { do: 'tickets' })
  t.equal(tickets.status, 200)
  t.equal(tickets.text.split('<article').length - 1, shownItems)
  t.notMatch(tickets.text, 'are not shown')
  t.match(tickets.text, `href="batch?orders=${encodeURIComponent(`wc:${ids[0]},wc:${ids[1]},`)}`)

  const folder = `${dir}/svc/print_files/ab`
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}/file.pdf`, '%PDF')
  const data = JSON.stringify({ local_file: `${folder}/file.pdf` })
  const jobs = items.map(({ order_id, order_item_id: item_id }) => ({
    guid: `job-${item_id}`,
    status: 'completed',
    details: JSON.stringify({ order_id, order_type: 'wc', item_id }),
    data,
  }))
  await host.db.insertInto(host.t.print_jobs).values(jobs).execute()
  const zip = await client.submit(batch, 'batch', { do: 'zip' })
  t.equal(zip.status, 200)
  t.match(zip.headers['content-disposition'], /"orders-[\d-]+\.zip"$/)
  t.equal(zip.text.split('%PDF').length - 1, shownItems)

  const [first, second] = [`wc:${ids[0]}`, `wc:${ids[1]}`]
  const repeated = await client.get(`tickets?orders=${[...Array(250).fill(first), second].join()}`)
  t.equal(repeated.text.split('<article').length - 1, 2 * itemsOfOrder)
})
