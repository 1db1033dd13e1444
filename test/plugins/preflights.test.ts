// Preflights of orders and products by the API, and of the same by the command.
import t from 'tap'
import { onEachEngine } from '../support/hosts/build.ts'
import { photoUrl, pictureElement, renderShop, textElement, viewWith } from '../support/render/render-shop.ts'

const near = textElement('Near the edge', { left: 60, originX: 'left', fontSize: 12 })
const design = {
  product: [viewWith(textElement('Ada'), { ...near, parameters: { ...near.parameters, left: 51 } })],
}

t.test('the preflight of an order tells findings, pages and fonts, and changes nothing', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, id, item, changes } = await renderShop(t, engine, design)
    const { status, body } = await host.call('GET', `/orders/${id}/preflight?item_id=${item}`)
    t.equal(status, 200)
    t.match(body.data, {
      printable: true,
      findings: [
        { level: 'warning', code: 'margin', view: 'Front', element: 'Near the edge', value: Number },
      ],
      pages: [{ view: 'Front', area: null, width: 75, height: 50, bleed: 3 }],
      fonts: [{ family: 'Liberation Sans', substitute: null, missing: false }],
    })
    t.equal((await host.call('GET', '/print-jobs')).body.data.length, 0)
    t.strictSame(changes, [])
  }),
)

t.test('the job of an export keeps what was found, as data', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, order } = await renderShop(t, engine, design)
    const { data } = (await order()).body
    const job = (await host.call('GET', `/print-jobs/${data.print_job_id}`)).body.data
    t.match(job.preflight, [{ level: 'warning', code: 'margin', element: 'Near the edge', value: Number }])
    t.match(job.warnings, [/Near the edge.*safe from an inexact cut/])
  }),
)

t.test('what would be refused is a finding of the preflight', async (t) => {
  const broken = {
    product: [viewWith(textElement('Ada', { fontFamily: 'Gone' }), pictureElement('http://x'))],
  }
  const { host, id, item } = await renderShop(t, 'SQLite', broken)
  const { status, body } = await host.call('GET', `/orders/${id}/preflight?item_id=${item}`)
  t.equal(status, 200)
  t.equal(body.data.printable, false)
  t.match(body.data.findings, [
    { level: 'refusal', code: 'font' },
    { level: 'refusal', code: 'picture' },
  ])
})

t.test(
  'GET /orders/{id}/preflight: checks an export with the settings of the shop, or with those of the query',
  async (t) => {
    const { output: _unused, ...unsized } = viewWith().options
    const inPixels = { product: [{ ...viewWith(textElement('Ada')), options: unsized }] }
    const { host, id, item } = await renderShop(t, 'SQLite', inPixels)
    const isPrintable = async (query = '') =>
      (await host.call('GET', `/orders/${id}/preflight?item_id=${item}${query}`)).body.data.printable
    t.notOk(await isPrintable())
    t.ok(await isPrintable('&output_format=png&dpi=100'))
    const values = { svc_ae_output_file: 'png', svc_ae_image_dpi: 72 }
    t.equal((await host.call('PATCH', '/settings', values)).status, 200)
    t.ok(await isPrintable())
    t.notOk(await isPrintable('&output_format=svg'))
    t.match(await host.call('GET', `/orders/${id}/preflight?item_id=${item}&dpi=0`), { status: 400 })
  },
)

t.test(
  'GET /orders/{id}/preflight: two views of one title are told apart by title and position',
  async (t) => {
    const far = { ...near, parameters: { ...near.parameters, left: 51 } }
    const twice = {
      product: [textElement('Ada'), far].map((element) => ({ ...viewWith(element), title: 'Agent' })),
    }
    const { host, id, item } = await renderShop(t, 'SQLite', twice)
    const { body } = await host.call('GET', `/orders/${id}/preflight?item_id=${item}`)
    t.match(body.data.findings, [{ code: 'margin', view: 'Agent (2)', view_position: 1 }])
    t.notOk('view_id' in body.data.findings[0], 'views of orders are no rows')
    t.match(body.data.pages, [{ view: 'Agent' }, { view: 'Agent (2)' }])
  },
)

t.test('GET /products/{id}/preflight: findings name the id of their view', async (t) => {
  const { host } = await renderShop(t, 'SQLite', design)
  const product = (await host.call('POST', '/products', { title: 'Mug' })).body.data
  const { elements, options } = viewWith(textElement('Ada'))
  const broken = viewWith(textElement('Ada', { fontFamily: 'Gone' })).elements
  await host.call('POST', `/products/${product.id}/views`, { title: 'Agent', elements, options })
  const second = await host.call('POST', `/products/${product.id}/views`, {
    title: 'Agent',
    elements: broken,
    options,
  })
  const { body } = await host.call('GET', `/products/${product.id}/preflight`)
  t.match(body.data.findings, [{ code: 'font', view_position: 1, view_id: second.body.data.id }])
})

t.test('the preflight of a product looks at all of its views', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host } = await renderShop(t, engine, design)
    const product = (await host.call('POST', '/products', { title: 'Mug' })).body.data
    const { elements, options } = viewWith(
      textElement('Ada'),
      pictureElement(photoUrl, { scaleX: 0.5, scaleY: 0.5 }),
    )
    await host.call('POST', `/products/${product.id}/views`, { title: 'Front', elements, options })
    const { printingBox, ...unsized } = options
    await host.call('POST', `/products/${product.id}/views`, {
      title: 'Back',
      elements: [textElement('Hand', { fontFamily: 'Gone' })],
      options: { ...unsized, output: {} },
    })
    const { status, body } = await host.call('GET', `/products/${product.id}/preflight`)
    t.equal(status, 200)
    t.match(body.data, { printable: false, findings: [{ level: 'refusal', code: 'page', view: 'Back' }] })
    t.equal(body.data.pages.length, 1)
    t.equal((await host.call('GET', '/products/4711/preflight')).status, 404)
  }),
)
