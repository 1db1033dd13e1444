// Exports that this installation draws: the file, its job, its changes.
import t from 'tap'
import { onEachEngine } from '../../support/hosts/build.ts'
import {
  photoUrl,
  pictureElement,
  renderShop,
  textElement,
  viewWith,
} from '../../support/render/render-shop.ts'

const design = { product: [viewWith(pictureElement(photoUrl), textElement('Ada Lovelace'))] }

t.test('an export returns the URL of the PDF that was drawn', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { order, host, only, files, changes, temporary, id, item } = await renderShop(t, engine, design)
    const { status, body, headers } = await order()
    t.match(
      { status, data: body.data },
      { status: 201, data: { status: 'completed', order_id: id, item_id: item } },
    )
    const { file_url, file } = body.data
    t.match(file_url, /^https:\/\/shop\.example\/.*\/svc\/print_files\/[0-9a-f]{32}\/[^/]+$/)
    t.equal(file.split('/')[1], `${id}-${item}.pdf`)
    t.match(headers.location, body.data.print_job_id)
    t.match((await only()).toString('latin1'), /^%PDF-1\.6/)
    t.equal((await files()).length, 1)
    t.same(changes, ['processing', 'completed'])
    t.same(await temporary(), [])
    const job = (await host.call('GET', `/print-jobs/${body.data.print_job_id}`)).body.data
    t.match(job, {
      status: 'completed',
      error: null,
      file_url: body.data.file_url,
      details: { export_method: 'renderer' },
    })
  }),
)

t.test('what cannot be drawn is refused with view, element and cause, and the job keeps the sentence', (t) =>
  onEachEngine(t, async (t, engine) => {
    const unknown = textElement('Hello', { fontFamily: 'Lobster' })
    const { order, host, files } = await renderShop(t, engine, [viewWith(unknown)])
    const { status, body } = await order()
    const message = 'View "Front", element "Hello": The font "Lobster" is not uploaded.'
    t.match({ status, body }, { status: 422, body: { code: 'svc_render_refused', message } })
    const job = (await host.call('GET', `/print-jobs/${body.data.print_job_id}`)).body.data
    t.match(job, { status: 'failed', error: { code: 'svc_render_refused', message }, file_url: null })
    t.same(await files(), [])
  }),
)

t.test('a family that the host names stands in for one that is not uploaded', async (t) => {
  const element = textElement('Hello', { fontFamily: 'Lobster', fontWeight: 'bold' })
  const { order } = await renderShop(t, 'SQLite', [viewWith(element)], {
    renderer: { fonts: { lobster: 'Liberation Sans' } },
  })
  t.match(await order(), { status: 201, body: { data: { status: 'completed' } } })
})

t.test(
  'a common font is printed in a substitute that the job names, unless the host is strict',
  async (t) => {
    const views = [viewWith(textElement('Hello', { fontFamily: 'Arial, sans-serif' }))]
    const { order, host } = await renderShop(t, 'SQLite', views)
    const { body } = await order()
    t.equal(body.data.status, 'completed')
    const job = (await host.call('GET', `/print-jobs/${body.data.print_job_id}`)).body.data
    t.match(job.warnings, [
      /^The font "Arial" is not uploaded; "Arimo", of the same widths, is printed in its place\.$/,
    ])
    const strict = await renderShop(t, 'SQLite', views, { renderer: { strictFonts: true } })
    t.match(await strict.order(), { status: 422, body: { code: 'svc_render_refused' } })
  },
)

t.test('a client that does not wait finds the file in its job', async (t) => {
  const { order, host } = await renderShop(t, 'SQLite', design)
  const { body } = await order({}, { prefer: 'respond-async' })
  t.match(body.data, { status: 'processing', file_url: null })
  const again = await order()
  t.match(again.body.data, { status: 'completed', print_job_id: body.data.print_job_id })
  t.equal((await host.call('GET', '/print-jobs')).body.meta.total, 1)
})

t.test('equal exports at once are one job and one file', async (t) => {
  const { order, files } = await renderShop(t, 'SQLite', design)
  const all = await Promise.all([order(), order(), order()])
  t.same(new Set(all.map(({ body }) => body.data.print_job_id)).size, 1)
  t.same(
    all.map(({ body }) => body.data.status),
    ['completed', 'completed', 'completed'],
  )
  t.equal((await files()).length, 1)
})
