// The desk: orders of all sources, one order, the queue, for whom, and what foreign texts and forms cannot do.
import t from 'tap'
import { SvcError } from '../../../src/core/errors.ts'
import { runningContext } from '../../../src/http/running-apis.ts'
import { onEachDialect } from '../../support/hosts/build.ts'
import { addForm, deskShop, formEntry, jobRow, shortcodeOrder, wcOrder } from '../../support/hosts/desk.ts'
import { frameLinks, sameOrigin } from '../../support/hosts/screen.ts'
import { photoUrl, pictureElement, textElement, viewWith } from '../../support/render/render-shop.ts'

const design = { product: [viewWith(pictureElement(photoUrl), textElement('Ada Lovelace'))] }
const broken = [viewWith(textElement('Hello', { fontFamily: 'Lobster' }))]

t.test('orders of all sources are one list, newest first, with the state of their print files', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { host, client, id, item } = await deskShop(t, engine, design)
    const form = await addForm(host)
    const entry = await formEntry(host, form, {
      created: '2026-05-01 08:00:00',
      name: 'Grace <b>Hopper</b>',
      mail: 'grace@navy.example',
      design: broken,
    })
    const latest = await wcOrder(host, '2026-06-01 08:00:00', [design, design], {
      number: 'A-77',
      first: 'Zoë',
    })
    const code = await shortcodeOrder(host, {
      customer_name: '"><script>alert(1)</script>',
      customer_mail: 'x@y.example',
      views: design.product,
    })
    await jobRow(host, { type: 'wc', id, item, status: 'completed' })
    await jobRow(host, { type: 'gf', id: entry, item: 0, status: 'completed' })
    await jobRow(host, { type: 'gf', id: entry, item: 0, status: 'failed' })
    const page = await client.get('orders')
    t.equal(page.status, 200)
    t.equal(page.headers['cache-control'], 'private, no-store')
    const names = page.texts('.orders .name')
    t.same(new Set(names), new Set([`Website order ${code}`, 'Shop A-77', `Form ${entry}`, `Shop ${id}`]))
    t.same(
      names.filter((name) => !name.startsWith('Website')),
      ['Shop A-77', `Form ${entry}`, `Shop ${id}`],
    )
    t.notOk(page.document.querySelector('main script, main b'))
    const texts = page.texts('.orders > li')
    t.match(
      texts.find((text) => text.startsWith('Select Shop A-77')),
      /processing Zoë Lovelace ?ada@shop\.example Shirt 1 piece No print file ?Shirt 1 piece No print file$/,
    )
    t.match(
      texts.find((text) => text.startsWith('Select Form')),
      /Grace <b>Hopper<\/b> ?grace@navy\.example Size: XL Failed$/,
    )
    t.match((await client.get('orders?q=hopper')).texts('.orders > li').join(), /Size: XL Failed$/)
    t.match(
      texts.find((text) => text.startsWith(`Select Shop ${id}`)),
      /Ready$/,
    )
    t.match(
      texts.find((text) => text.startsWith('Select Website')),
      /<script>alert\(1\)<\/script>/,
    )

    const found = async (query: string) => (await client.get(`orders?${query}`)).texts('.orders .name')
    t.same(await found('state=failed'), [`Form ${entry}`])
    t.same(await found('state=ready'), [`Shop ${id}`])
    t.same(await found('state=none&source=wc'), ['Shop A-77'])
    t.same(await found('q=HOPPER'), [`Form ${entry}`])
    t.same(await found('q=a-77'), ['Shop A-77'])
    t.same(await found('since=2026-05-01&until=2026-05-01'), [`Form ${entry}`])
    t.same(await found('since=2026-06-01&source=wc'), ['Shop A-77'])
    t.same(await found(`since=${new Date().toISOString().slice(0, 10)}`), [`Website order ${code}`])
    t.same(await found('until=1999-12-31'), [])
    t.same(latest.items.length, 2)
  }),
)

t.test('a page ends after 50 orders, and the next one goes on where it ended', async (t) => {
  const { host, client, id } = await deskShop(t, 'SQLite', design)
  const form = await addForm(host)
  const expected = [`Shop ${id}`]
  for (let day = 1; day <= 26; day++) {
    const created = `2026-07-${String(day).padStart(2, '0')} 10:00:00`
    const { id: wc } = await wcOrder(host, created, [design])
    const gf = await formEntry(host, form, {
      created: created.replace(' 10:', ' 09:'),
      name: 'A',
      mail: '',
      design,
    })
    expected.unshift(`Shop ${wc}`, `Form ${gf}`)
  }
  const first = await client.get('orders')
  const older = first.document.querySelector('.pages a')?.getAttribute('href') ?? ''
  const second = await client.get(older)
  t.equal(first.texts('.orders .name').length, 50)
  t.same([...first.texts('.orders .name'), ...second.texts('.orders .name')], expected)
  t.notMatch(second.texts('.pages').join(), 'Older')
})

t.test('the page of an order shows what is printed, whose it is, and its jobs', (t) =>
  onEachDialect(t, async (t, engine) => {
    const element = textElement('Hapy <i>Birthday</i>', { fill: '#ff0000' })
    const view = { ...viewWith(element), names_numbers: [{ name: 'MESSI', number: '10', select: 'L' }] }
    const { client, id, item, host } = await deskShop(t, engine, { product: [view] })
    const page = await client.get(`order?type=wc&id=${id}`)
    t.same(page.texts('.texts li'), ['Hapy <i>Birthday</i>', 'MESSI · 10 · L'])
    t.match(page.texts('main').join(), /Liberation Sans.*#ff0000.*Ada Lovelace.*ada@shop\.example/)
    t.match(page.texts('figcaption').join(), '75 × 50 mm, bleed 3 mm')
    t.equal(page.document.querySelectorAll('.sheet rect').length, 2)
    const made = await client.submit(page, 'print', { dpi: '150', format: 'png' })
    t.equal(made.status, 303)
    t.equal(made.headers.location, `order?type=wc&id=${id}&item=${item}&said=print`)
    const job = (await host.call('GET', '/print-jobs')).body.data[0]
    t.match(job.details, { order_id: id, item_id: item, dpi: 150, output_format: 'png' })
    t.match((await client.get(made.headers.location ?? '')).texts('#jobs li').join(), /PNG, 150 dpi/)
    t.equal((await client.get('order?type=wc&id=4711')).status, 404)
    t.equal((await client.get('order?type=odd&id=1')).status, 404)
    t.equal((await client.submit(page, 'print', { dpi: '0' })).status, 400)
  }),
)

t.test('links of pages of errors lead to the desk, however deep their paths are', async (t) => {
  const { client } = await deskShop(t, 'SQLite', design)
  const expected = frameLinks(await client.get('orders'), '/desk/orders')
  t.match(expected.join(' '), '/desk/screen.css /desk/screen.js /desk/orders /desk/orders')
  for (const path of ['nope', 'a/b', 'a/b/', 'a//b/c?d=/e/f', 'order/1']) {
    const page = await client.get(path)
    t.strictSame([page.status, frameLinks(page, `/desk/${path}`)], [404, expected], path)
  }
})

t.test('the page of an entry of a form says once who sent it, and which order it is', async (t) => {
  const { host, client } = await deskShop(t, 'SQLite', design)
  const sent = { created: '2026-05-01 08:00:00', name: 'Grace Hopper', mail: 'grace@navy.example', design }
  const entry = await formEntry(host, await addForm(host), sent)
  const page = await client.get(`order?type=gf&id=${entry}`)
  t.match(page.texts('h1'), [`Form ${entry}`])
  const customer = page.texts('[aria-labelledby=section-customer] dl').join()
  t.match(customer, /Name ?Grace Hopper.*Size ?XL/)
  t.equal(customer.split('Grace Hopper').length, 2)
  t.equal(customer.split('grace@navy.example').length, 2)
})

t.test('the queue calls orders as the list does', async (t) => {
  const { host, client } = await deskShop(t, 'SQLite', design)
  const { id, items } = await wcOrder(host, '2026-06-01 08:00:00', [design], { number: 'A-77', first: 'Zoë' })
  await jobRow(host, { type: 'wc', id, item: items[0] ?? 0, status: 'failed' })
  const [row] = (await client.get('queue')).texts('[aria-labelledby=section-failed] li')
  t.match(row, /^Shop A-77, Shirt Failed.*Zoë/)
})

t.test('a finished file is downloaded from its job, and all files of an order as ZIP', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { client, host, id } = await deskShop(t, engine, design)
    const two = await wcOrder(host, '2026-06-01 08:00:00', [design, design])
    for (const item_id of two.items) await host.call('POST', `/orders/${two.id}/export`, { item_id })
    const page = await client.get(`order?type=wc&id=${two.id}`)
    t.ok(page.document.querySelector('[aria-label="Table of items"]'))
    const links = [...page.document.querySelectorAll('a[download]')].map(
      (link) => link.getAttribute('href') ?? '',
    )
    t.equal(links.length, 3)
    const file = await client.get(links[0] ?? '')
    t.match(file.text, /^%PDF/)
    t.match(file.headers['content-disposition'], /^attachment; filename="\d+-\d+\.pdf"$/)
    const zip = await client.get(`files?type=wc&id=${two.id}`)
    t.match(zip.text, /^PK/)
    t.equal(zip.headers['content-disposition'], `attachment; filename="${two.id}.zip"`)
    t.equal(zip.text.match(/\d+-\d+\.pdf/g)?.length, 4)
    t.equal((await client.get(`files?type=wc&id=${id}`)).status, 404)
    t.equal((await client.get('file?job=nobody')).status, 404)
    const head = await host.app.inject({ method: 'HEAD', url: `/desk/files?type=wc&id=${two.id}` })
    t.equal(head.statusCode, 404, 'no file is read for nobody')
  }),
)

t.test('a failed job says why and what to do, and one that is made again leaves the failures', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { client, host, id, item } = await deskShop(t, engine, design)
    const message = 'The font "<Lobster>" is not uploaded.'
    const error = { code: 'svc_render_refused', message, refusals: ['font'] }
    const failed = await jobRow(host, { type: 'wc', id, item, status: 'failed', error })
    const queue = await client.get('queue')
    const texts = queue.texts('[aria-labelledby=section-failed] li').join()
    t.match(texts, 'The font "<Lobster>" is not uploaded.')
    t.match(texts, 'upload the font there')
    t.equal((await client.submit(queue, 'retry')).headers.location, 'queue?said=retried')
    const after = await client.get('queue')
    t.match(after.texts('[aria-labelledby=section-failed]').join(), 'Nothing has failed.')
    const jobs = (await host.call('GET', '/print-jobs')).body.data
    t.match(jobs, [{ details: { order_id: id, item_id: item } }, { id: failed.id, status: 'failed' }])
    t.equal((await client.submit(queue, 'retry')).status, 303)
    t.equal((await host.call('GET', '/print-jobs')).body.meta.total, 2)
  }),
)

t.test(
  'POST /desk/retry-all: failed jobs are started again, and those that cannot be are counted',
  async (t) => {
    const { client, host, id, item } = await deskShop(t, 'SQLite', design)
    await jobRow(host, { type: 'wc', id, item, status: 'failed' })
    await jobRow(host, { type: 'wc', id: 4711, item: 1, status: 'failed' })
    const response = await client.submit(await client.get('queue'), 'retry-all')
    t.equal(response.headers.location, 'queue?said=all&count=1&refused=1&left=0')
    t.match(
      (await client.get(response.headers.location ?? '')).texts('[role=alert]').join(),
      '1 could not be started',
    )
  },
)

t.test('POST /desk/retry-all: outages of storages stop it, as they would stop the other jobs', async (t) => {
  const { client, host, id, item } = await deskShop(t, 'SQLite', design)
  for (let i = 0; i < 3; i++) await jobRow(host, { type: 'wc', id, item, status: 'failed' })
  const { exporter } = runningContext(host.app)
  let calls = 0
  for (const [code, status] of [
    ['svc_storage_full', 507],
    ['svc_storage_unavailable', 502],
    ['svc_unavailable', 503],
  ] as const) {
    calls = 0
    exporter.handOver = async () => {
      calls++
      throw new SvcError(code)
    }
    const response = await client.submit(await client.get('queue'), 'retry-all')
    t.strictSame([response.status, calls], [status, 1], code)
  }
})

t.test(
  'GET /desk/queue: a job of PHP on a host without an export service is said to wait for a file from elsewhere',
  async (t) => {
    const { client, host, id } = await deskShop(t, 'SQLite', design)
    const details = JSON.stringify({ order_id: id, order_type: 'wc', item_id: null })
    await host.db
      .insertInto(host.t.print_jobs)
      .values({ guid: 'abc', status: 'pending', details, data: null })
      .execute()
    const [waiting = ''] = (await client.get('queue')).texts('[aria-labelledby=section-waiting] li')
    t.match(waiting, 'this host has no export service')
  },
)

t.test('a job that waits is cancelled, which its order tells', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { client, host, id } = await deskShop(t, engine, design, {
      export: { wait: 0 },
      exportService: { url: 'http://127.0.0.1:9/' },
    })
    const details = JSON.stringify({
      order_id: id,
      order_type: 'wc',
      item_id: null,
      export_method: 'service',
    })
    await host.db
      .insertInto(host.t.print_jobs)
      .values({ guid: 'abc', status: 'processing', details, data: null })
      .execute()
    const queue = await client.get('queue')
    t.match(queue.texts('[aria-labelledby=section-waiting] li').join(), 'Waiting for the export service')
    const counts = async () => (await client.get('orders')).texts('#numbers a[href=queue]')
    t.same(await counts(), ['0 failed', '1 waiting'])
    t.equal((await client.submit(queue, 'cancel')).headers.location, 'queue?said=cancelled')
    t.same(await counts(), ['1 failed', '0 waiting'])
    t.equal((await client.submit(queue, 'cancel')).headers.location, 'queue?said=ended')
    const job = (await host.call('GET', '/print-jobs/abc')).body.data
    t.equal(job.status, 'failed')
  }),
)

t.test(
  'whoever may only read orders sees no button and no queue, and none of their forms does anything',
  async (t) => {
    const { client, host, id } = await deskShop(t, 'SQLite', design, {
      desk: { authorize: () => ({ name: 'anna', scopes: ['orders:read'] }) },
    })
    const page = await client.get(`order?type=wc&id=${id}`)
    t.equal(page.document.querySelectorAll('main button, main form').length, 0)
    t.same(page.texts('nav a'), ['Orders'])
    t.equal((await client.get('queue')).status, 403)
    t.equal((await client.get('check?type=product&id=1')).status, 403)
    for (const action of ['print', 'retry', 'retry-all', 'cancel'])
      t.equal(
        (
          await client.post(action, [
            ['type', 'wc'],
            ['id', String(id)],
          ])
        ).status,
        403,
        action,
      )
    t.equal((await host.call('GET', '/print-jobs')).body.meta.total, 0)
  },
)

t.test('a form without token, with a foreign one, or from another site is refused', async (t) => {
  const { client, host, id } = await deskShop(t, 'SQLite', design)
  const page = await client.get(`order?type=wc&id=${id}`)
  const other = await deskShop(t, 'SQLite', design)
  const foreign = await other.client.get(`order?type=wc&id=${other.id}`)
  const token = foreign.document.querySelector('[name=_form]')?.getAttribute('value') ?? ''
  t.equal((await client.submit(page, 'print', { _form: undefined })).status, 403)
  t.equal((await client.submit(page, 'print', { _form: token })).status, 403)
  const evil = { ...sameOrigin, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  t.equal((await client.submit(page, 'print', {}, evil)).status, 403)
  t.equal((await host.call('GET', '/print-jobs')).body.meta.total, 0)
  t.equal((await client.submit(page, 'print')).status, 303)
})

t.test('a preview is drawn once for a design, and a failed one tells why', async (t) => {
  const { client, id, item, host } = await deskShop(t, 'SQLite', design)
  const preview = await client.get(`preview?type=wc&id=${id}&item=${item}&view=0&width=160`)
  t.match(preview.text, /^.PNG/)
  t.equal(preview.headers['cache-control'], 'private, no-cache')
  const etag = preview.headers.etag
  const again = await client.get(`preview?type=wc&id=${id}&item=${item}&view=0&width=160`, {
    'if-none-match': etag,
  })
  t.equal(again.status, 304)
  t.equal((await client.get(`preview?type=wc&id=${id}&item=${item}&view=0&width=161`)).status, 404)
  const bad = await wcOrder(host, '2026-06-01 08:00:00', [broken])
  const failed = await client.get(`preview?type=wc&id=${bad.id}&item=${bad.items[0]}&view=0&width=160`)
  t.equal(failed.status, 422)
  t.match(failed.text, 'The font "Lobster" is not uploaded.')
  t.match((await client.get('orders')).texts('.why').join(), 'The font "Lobster" is not uploaded.')
})

t.test('a check before printing tells what is refused, and the resolution of pictures', async (t) => {
  const { client, id, item, host } = await deskShop(t, 'SQLite', design)
  const page = await client.get(`order?type=wc&id=${id}`)
  const link = page.document.querySelector('a[href^=check]')?.getAttribute('href') ?? ''
  t.equal(link, `check?type=wc&id=${id}&item=${item}`)
  const good = await client.get(link)
  t.match(good.texts('.notice').join(), 'Ready to print.')
  t.match(good.texts('[aria-labelledby=found-pictures] li').join('|'), /^Front, Photo: \d+ dpi$/)
  const bad = await wcOrder(host, '2026-06-01 08:00:00', [broken])
  const refused = await client.get(`check?type=wc&id=${bad.id}&item=${bad.items[0]}`)
  t.match(refused.texts('.notice').join(), 'Not ready to print.')
  t.match(refused.texts('[aria-labelledby=found-refusal] li').join(), 'The font "Lobster" is not uploaded.')
  t.match(refused.texts('[aria-labelledby=found-fonts] td').join('|'), 'Lobster|regular|nothing: upload it')
  t.equal((await client.get('check?type=product&id=4711')).status, 404)
})

t.test('the gallery shows products with their previews, and what cannot be drawn', async (t) => {
  const { client, host } = await deskShop(t, 'SQLite', design)
  const { body } = await host.call('POST', '/products', { title: 'Mug <i>' })
  const { elements, options } = viewWith(textElement('Hello', { fontFamily: 'Lobster' }))
  await host.call('POST', `/products/${body.data.id}/views`, { title: 'Front', elements, options })
  const gallery = await client.get('products')
  t.match(gallery.texts('.gallery li'), [new RegExp(`Mug <i> ?Product ${body.data.id}`)])
  const preview = await client.get(`preview?type=product&id=${body.data.id}&item=0&view=0&width=240`)
  t.match([preview.status, preview.text], [422, 'The font "Lobster" is not uploaded.'])
  t.match((await client.get('products')).texts('.why').join(), 'The font "Lobster" is not uploaded.')
})
