// Names of print files in storages, downloads and archives.
import t from 'tap'
import { storeOption } from '../../support/fixtures/rows.ts'
import { row, shopOrder } from '../../support/fixtures/shop.ts'
import { build, onEachDialect } from '../../support/hosts/build.ts'
import { addForm, deskShop, formEntry, shortcodeOrder } from '../../support/hosts/desk.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

const design = { product: [viewWith(textElement('Ada Lovelace'))] }
const stored = ['_svc_data', JSON.stringify(design)] as [string, string]

t.test('GET /desk/file, /desk/files: names by number, item and SKU, each once in an archive', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { client, host } = await deskShop(t, engine, design)
    const product = await row(host, 'posts', { post_type: 'product', post_title: 'Card' })
    await row(host, 'postmeta', { post_id: product, meta_key: '_sku', meta_value: 'CARD/A6' })
    const meta: [string, string][] = [
      stored,
      ['_product_id', String(product)],
      ['_qty', '3'],
      ['Color', 'Größe'],
    ]
    const bought = { name: 'Card', meta }
    const { id, items } = await shopOrder(host, 'posts', {
      number: 'WEB-2026-0017',
      created: '2026-04-29 20:00:00',
      first: 'Ben',
      items: [bought, bought],
    })
    const file = async (item_id: number | undefined) => {
      const { body } = await host.call('POST', `/orders/${id}/export`, { item_id })
      const { headers } = await client.get(`file?job=${body.data.print_job_id}`)
      return [body.data.file.split('/')[1], headers['content-disposition']]
    }
    const name = `WEB-2026-0017-${items[0]}-CARD-A6.pdf`
    t.strictSame(await file(items[0]), [name, `attachment; filename="${name}"`])
    await storeOption(host, 'svc_file_name', '{customer}_{attributes}_x{quantity}')
    t.strictSame(
      await file(items[1]),
      [
        'Grosse_x3.pdf',
        `attachment; filename="Ben-Lovelace_Grosse_x3-WEB-2026-0017.pdf"; filename*=UTF-8''Ben-Lovelace_Gr%C3%B6%C3%9Fe_x3-WEB-2026-0017.pdf`,
      ],
      'the customer is not in the URL of the file',
    )
    await storeOption(host, 'timezone_string', 'Pacific/Auckland')
    await storeOption(host, 'svc_file_name', '{date}-{status}')
    t.match((await file(items[1]))[0], '2026-04-30-processing.pdf', 'the day in the time zone of the shop')
    await storeOption(host, 'svc_file_name', '{customer}_{attributes}_x{quantity}')
    const zip = await client.get(`files?type=wc&id=${id}`)
    t.match(zip.text, /Ben-Lovelace_[^.]*_x3\.pdf/)
    t.match(zip.text, /Ben-Lovelace_[^.]*_x3-2\.pdf/)
  }),
)

t.test(
  'GET /desk/file, /desk/files: two orders never give one file name, whatever the template',
  async (t) => {
    const { host, client } = await deskShop(t, 'SQLite', design)
    const shop = await shopOrder(host, 'posts', {
      items: [{ meta: [['_svc_data', JSON.stringify(design)]] }],
    })
    const customer = { customer_name: 'Eve', customer_mail: '', views: design.product }
    const website = [await shortcodeOrder(host, customer), await shortcodeOrder(host, customer)]
    const orders = [['wc', shop.id] as const, ...website.map((id) => ['shortcode', id] as const)]
    for (const template of ['{product}', '{sku}', '{customer}-{date}', 'print', '{number}-{sku}']) {
      await storeOption(host, 'svc_file_name', template)
      const names: unknown[] = []
      for (const [type, id] of orders) {
        const item_id = type === 'wc' ? shop.items[0] : undefined
        const { body } = await host.call('POST', `/orders/${id}/export`, { type, item_id })
        for (const path of [`file?job=${body.data.print_job_id}`, `files?type=${type}&id=${id}`])
          names.push((await client.get(path)).headers['content-disposition'])
      }
      t.equal(new Set(names).size, names.length, names.join())
    }
  },
)

t.test('POST /orders/{id}/export: orders of two sources with one number have two names', async (t) => {
  const { host } = await deskShop(t, 'SQLite', design)
  const form = await addForm(host)
  const order = { created: '2026-04-29 10:11:12', name: 'Eve', mail: 'eve@shop.example' }
  const ids = {
    gf: await formEntry(host, form, { ...order, design }),
    shortcode: await shortcodeOrder(host, {
      customer_name: 'Eve',
      customer_mail: '',
      views: design.product,
    }),
  }
  const names = await Promise.all(
    Object.entries(ids).map(async ([type, id]) => {
      const { body } = await host.call('POST', `/orders/${id}/export`, { type })
      return body.data.file.split('/')[1]
    }),
  )
  t.strictSame(names, [`form-${ids.gf}.pdf`, `website-${ids.shortcode}.pdf`])
})

t.test('POST /orders/{id}/export: a form entry is named by the form and what was entered', async (t) => {
  const { host } = await deskShop(t, 'SQLite', design, { fileName: '{product}-{attributes}-{number}' })
  const form = await addForm(host, 'Mug form')
  const entry = { created: '2026-04-29 10:11:12', name: 'Eve', mail: 'eve@shop.example', design }
  const id = await formEntry(host, form, entry)
  const { body } = await host.call('POST', `/orders/${id}/export`, { type: 'gf' })
  t.equal(body.data.file.split('/')[1], `Mug-form-XL-form-${id}.pdf`)
})

t.test('POST /orders/{id}/export: pictures in an archive are named by their views', async (t) => {
  const views = { product: ['Front', 'Back', 'back'].map((title) => ({ ...design.product[0], title })) }
  const { host, order, only, id, item } = await deskShop(t, 'SQLite', views, {
    fileName: '{number}-{view}',
  })
  const { body } = await order({ output_format: 'png', dpi: 20 })
  t.equal(body.data.file.split('/')[1], `${id}.zip`)
  const text = (await only()).toString('latin1')
  for (const name of [`${id}-Front.png`, `${id}-Back.png`, `${id}-back-2.png`])
    t.ok(text.includes(name), name)
  t.ok(item > 0)
  t.equal((await host.call('GET', `/print-jobs/${body.data.print_job_id}`)).status, 200)
})

t.test('option fileName: an unknown tag aborts startup, one in the setting gives the default', async (t) => {
  await t.rejects(build(t, { fileName: '{nummer}' }), /fileName: must be a template of tags/)
  await t.rejects(build(t, { fileName: '{date}/{number}' }), /fileName: must be a template of tags/)
  const { host, order, id, item } = await deskShop(t, 'SQLite', design)
  await storeOption(host, 'svc_file_name', '{nummer}')
  t.equal((await order()).body.data.file.split('/')[1], `${id}-${item}.pdf`)
})
