// Handing an order over to the export service: the request to it, and the effect of each of its responses.
import t from 'tap'
import { createShop, shopOrder } from '../../support/fixtures/shop.ts'
import { onEachDialect, onEachEngine } from '../../support/hosts/build.ts'
import { accept, design, exportShop, view } from '../../support/hosts/export-shop.ts'
import { printHost } from '../../support/hosts/print.ts'
import { renderShop } from '../../support/render/render-shop.ts'

t.test('the service gets the order and the export options, and the job is processing', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const { host, requests, changes, id, item, order } = await exportShop(t, engine, accept, { wait: 0 })
    const { status, headers, body } = await order({ output_format: 'png', dpi: 150, summary_json: true })
    t.equal(status, 201, JSON.stringify(body))
    const guid = body.data.print_job_id
    t.match(guid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    t.same(body.data, {
      print_job_id: guid,
      order_id: id,
      order_type: 'wc',
      item_id: item,
      status: 'processing',
      file_url: null,
      file: null,
      findings: [],
    })
    t.equal(headers.location, `https://shop.example/wp-json/svc/v1/print-jobs/${guid}`)
    const { stageWidth, stageHeight, output, printingBox } = view.options
    t.same(requests, [
      {
        output_format: 'png',
        include_font_files: false,
        include_images: false,
        summary_json: true,
        dpi: 150,
        hide_crop_marks: false,
        export_method: 'nodecanvas-svg',
        cloud_webhook: '',
        product_data: [
          { options: { stageWidth, stageHeight, output, printingBox }, elements: view.elements },
        ],
        used_fonts: design.usedFonts,
        order_id: id,
        order_type: 'wc',
        item_id: item,
        name: `${id}_${item}`,
        print_job_id: guid,
        file_ready_webhook: `https://shop.example/wp-json/svc-export/v1.0/print_job/${guid}`,
        variation_printful: null,
        api_version: '2.0',
        rtl: false,
        print_ready: true,
      },
    ])
    t.match(await host.job(guid), {
      status: 'processing',
      details: { order_id: id, item_id: item, order_type: 'wc' },
      error: null,
    })
    t.equal((await host.notify(guid)).body.data.status, 'completed')
    t.same(changes, ['processing', 'completed'])
  })
})

t.test('absent options come from the settings', async (t) => {
  const cases = {
    pdf: { output_format: 'svg-pdf', include_font_files: false, include_images: false },
    jpeg: { output_format: 'jpeg' },
    png: { output_format: 'png' },
    zip_pdf_fonts: { output_format: 'svg-pdf', include_font_files: true, include_images: false },
    zip_pdf_custom_images: { output_format: 'svg-pdf', include_font_files: false, include_images: true },
  }
  for (const [file, expected] of Object.entries(cases)) {
    const { requests, order, set } = await exportShop(t, 'SQLite', accept, { wait: 0 })
    await set('svc_ae_output_file', file)
    await set('svc_ae_image_dpi', '72')
    await set('svc_ae_hide_crop_marks', 'yes')
    await set('svc_pro_export_method', 'svg2pdf')
    await set('svc_pro_export_webhook_url', 'https://router.example/hook')
    t.equal((await order()).status, 201)
    const common = {
      dpi: 72,
      hide_crop_marks: true,
      export_method: 'svg2pdf',
      cloud_webhook: 'https://router.example/hook',
    }
    t.match(requests[0], { ...expected, ...common }, file)
  }
})

t.test('a refusal fails the job and responds 502 with the diagnosis, cut to its maximum', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const { host, order, say } = await exportShop(t, engine, accept, { wait: 0 })
    say.answer = (response) =>
      response
        .writeHead(422)
        .end('{"code":"bad_font","message":"A font is missing.","fields":["used_fonts"]}')
    const refused = await order()
    t.match(refused, { status: 502, body: { code: 'svc_export_refused' } })
    t.equal(refused.body.message, 'The export service refused the order: A font is missing.')
    t.same(refused.body.error, {
      code: 'bad_font',
      detail: 'A font is missing.',
      fields: ['used_fonts'],
      status: 422,
    })
    const [job] = (await host.call('GET', '/print-jobs')).body.data
    t.match(job, { status: 'failed', error: { code: 'svc_export_refused', message: 'A font is missing.' } })
    say.answer = (response) => response.writeHead(500).end('x'.repeat(10_000))
    const long = await order()
    t.equal(long.body.error.detail.length, 2000)
    t.ok(long.body.message.length < 2100)
    t.equal((await host.call('GET', '/print-jobs')).body.meta.total, 2, 'a failed job is not taken up again')
    say.answer = (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    t.match(await order(), { status: 502, body: { error: { status: 302 } } })
    say.answer = (response) => response.writeHead(304).end()
    t.match(await order(), { status: 502, body: { error: { status: 304 } } })
    say.answer = (response) => response.writeHead(400).end('{"error":null,"code":"E7","message":"No."}')
    t.match((await order()).body, { error: { code: 'E7', detail: 'No.', status: 400 } })
    say.answer = (response) =>
      response.writeHead(400).end('{"message":"Not printable.","detail":"Layer 3 is empty."}')
    t.match((await order()).body, {
      message: 'The export service refused the order: Not printable. Layer 3 is empty.',
      error: { code: null, detail: 'Layer 3 is empty.', fields: null, status: 400 },
    })
    say.answer = (response) =>
      response.writeHead(400).end('{"message":"Not printable.","detail":[{"layer":3,"reason":"empty"}]}')
    t.match((await order()).body, {
      message: 'The export service refused the order: Not printable. [{"layer":3,"reason":"empty"}]',
      error: { detail: '[{"layer":3,"reason":"empty"}]' },
    })
    say.answer = (response) => response.writeHead(503).end()
    t.match((await order()).body, { message: /^The export service refused the order: .* 503\.$/ })
    say.answer = (response) => response.writeHead(205).end()
    t.match(
      await order(),
      { status: 201, body: { data: { status: 'processing' } } },
      'any 2xx takes the order',
    )
  })
})

t.test('without a response in time the job stays pending, and the same request resumes it', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const { host, requests, say, order } = await exportShop(t, engine, () => {}, { wait: 0, seconds: 1.5 })
    const first = await order({ dpi: 100 })
    t.match(first, { status: 201, body: { data: { status: 'pending' } } })
    const other = await order({ dpi: 200 })
    t.not(other.body.data.print_job_id, first.body.data.print_job_id, 'other options are another job')
    say.answer = (response) => response.destroy()
    t.match((await order({ dpi: 100 })).body.data, {
      status: 'pending',
      print_job_id: first.body.data.print_job_id,
    })
    say.answer = accept
    t.match((await order({ dpi: 100 })).body.data, {
      status: 'processing',
      print_job_id: first.body.data.print_job_id,
    })
    const next = await order({ dpi: 100 })
    t.not(next.body.data.print_job_id, first.body.data.print_job_id, 'what was taken is exported anew')
    t.equal((await host.call('GET', '/print-jobs')).body.meta.total, 3)
    t.ok(requests.every(({ print_job_id }) => typeof print_job_id === 'string'))
  })
})

t.test('an idempotency key replays a processing job, but never a pending one', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const { host, requests, say, id, item } = await exportShop(t, engine, (response) => response.destroy(), {
      wait: 0,
    })
    const keyed = () =>
      host.call('POST', `/orders/${id}/export`, { item_id: item }, { 'idempotency-key': 'k1' })
    const pending = await keyed()
    t.equal(pending.body.data.status, 'pending')
    say.answer = accept
    const taken = await keyed()
    t.match(taken.body.data, { status: 'processing', print_job_id: pending.body.data.print_job_id })
    const again = await keyed()
    t.same(again.body.data, taken.body.data)
    t.equal(again.headers['idempotency-replayed'], 'true')
    t.equal(requests.length, 2)
  })
})

t.test('designs of every source and generation are reduced to their printable part', async (t) => {
  const { host, requests, id, order } = await exportShop(t, 'SQLite', accept, { wait: 0 })
  const areas = { ...view, options: { stageWidth: 5, printAreas: [{ name: 'A' }], printingBox: {} } }
  const values = { customer_name: '', customer_mail: '', views: JSON.stringify([areas]), print_order: null }
  const { insertId } = await host.db.insertInto(host.t.orders).values(values).executeTakeFirstOrThrow()
  const result = await host.call('POST', `/orders/${insertId}/export`, { type: 'sc' })
  t.match(result.body.data, { order_type: 'sc', item_id: null, status: 'processing' })
  t.match(requests[0], { name: String(insertId), item_id: null })
  t.same(requests[0]?.product_data, [
    { options: { stageWidth: 5, printAreas: [{ name: 'A' }] }, elements: view.elements },
  ])
  await host.call('PATCH', `/orders/${id}`, {
    item_id: 1,
    order: { svc_product: design, variation_printful: 4012 },
  })
  t.match((await order()).body.data, { status: 'processing' })
  t.match(requests[1], {
    used_fonts: design.usedFonts,
    variation_printful: 4012,
    product_data: [{ elements: view.elements }],
  })
})

t.test(
  'orders: a request for one design lists the items if it names none; 404 without the order',
  async (t) => {
    await onEachDialect(t, async (t, engine) => {
      const { host } = await renderShop(t, engine, design)
      const meta: [string, string][] = [['_svc_data', JSON.stringify(design)]]
      const { id, items } = await shopOrder(host, 'posts', { items: [{ meta }, { meta }] })
      const calls = [
        (order: number) => host.call('POST', `/orders/${order}/export`, {}),
        (order: number) => host.call('GET', `/orders/${order}/preflight`),
        (order: number) => host.call('GET', `/orders/${order}/preview`),
      ]
      for (const call of calls) {
        t.match(await call(id), {
          status: 400,
          body: {
            code: 'rest_missing_callback_param',
            message: `item_id is required for orders of the shop (items: ${items.join(', ')}).`,
            data: { params: ['item_id'] },
          },
        })
        t.match(await call(9999), { status: 404, body: { code: 'svc_order_data_not_found' } })
      }
    })
  },
)

t.test('an order that cannot be exported is refused before a job is created', async (t) => {
  const { host, requests, id, item, order } = await exportShop(t, 'SQLite', accept, { wait: 0 })
  const post = (path: string, body: object = {}) => host.call('POST', path, body)
  t.match(await post(`/orders/${id}/export`), { status: 400, body: { data: { params: ['item_id'] } } })
  t.equal((await post(`/orders/${id}/export`, { item_id: 999 })).status, 404)
  t.equal((await post('/orders/999/export', { item_id: item })).status, 404)
  t.equal((await post('/orders/1/export', { type: 'sc', item_id: 1 })).status, 400)
  t.equal((await post('/orders/1/export', { type: 'x' })).status, 400)
  for (const body of [
    { output_format: 'exe' },
    { dpi: 0 },
    { dpi: '72' },
    { summary_json: 'yes' },
    { x: 1 },
  ]) {
    t.equal((await order(body)).status, 400, JSON.stringify(body))
  }
  t.same(requests, [])
  t.equal((await host.call('GET', '/print-jobs')).body.meta.total, 0)
})

t.test('without an export service, the export gives 503', async (t) => {
  const host = await printHost(t)
  await createShop(host)
  const { id, items } = await shopOrder(host, 'posts', { items: [{ meta: [['_svc_data', '{}']] }] })
  const result = await host.call('POST', `/orders/${id}/export`, { item_id: items[0] })
  t.match(result, { status: 503, body: { code: 'svc_export_not_configured' } })
})
