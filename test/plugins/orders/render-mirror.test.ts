// Exports with `mirror` and `outlines`: who decides, what the response and the job say, and what is made again.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { ensureCommands } from '../../support/debian.ts'
import { storeOption } from '../../support/fixtures/rows.ts'
import { renderShop, textElement, viewWith } from '../../support/render/render-shop.ts'

await ensureCommands({ pdffonts: 'poppler-utils' })
const design = [viewWith(textElement('Hello'))]
const fontsIn = async (path = '') =>
  (await promisify(execFile)('pdffonts', [path])).stdout.trim().split('\n').slice(2)
const isMirrored = (findings: { code: string }[]) => findings.some(({ code }) => code === 'mirror')

t.test(
  'POST /orders/{id}/export: mirror is a finding of the response, the job and the preflight',
  async (t) => {
    const { host, id, item, order } = await renderShop(t, 'SQLite', design)
    const { status, body } = await order({ mirror: true })
    t.match([status, body.data.status], [201, 'completed'])
    t.ok(isMirrored(body.data.findings))
    const job = (await host.call('GET', `/print-jobs/${body.data.print_job_id}`)).body.data
    t.match(job, { details: { mirror: true }, warnings: [/mirrored from left to right/] })
    t.ok(isMirrored(job.preflight))
    const soon = await order({ mirror: true, dpi: 299 }, { prefer: 'respond-async' })
    t.ok(isMirrored(soon.body.data.findings), 'before the file is drawn')
    t.notOk(isMirrored((await order()).body.data.findings))
    const check = () => host.call('GET', `/orders/${id}/preflight?item_id=${item}`)
    t.notOk(isMirrored((await check()).body.data.findings))
    await storeOption(host, 'svc_ae_mirror', 'yes')
    t.ok(isMirrored((await check()).body.data.findings))
  },
)

t.test(
  'POST /orders/{id}/export: the caller goes before the print profile, and that before the settings',
  async (t) => {
    const { host, order } = await renderShop(t, 'SQLite', design)
    const exported = async (body: object = {}) => {
      const { print_job_id: guid } = (await order(body)).body.data
      const { mirror = false, outlines = false } = (await host.call('GET', `/print-jobs/${guid}`)).body.data
        .details
      return [mirror, outlines]
    }
    t.same(await exported(), [false, false])
    await storeOption(host, 'svc_ae_mirror', 'yes')
    await storeOption(host, 'svc_ae_outlines', 'yes')
    t.same(await exported(), [true, true])
    const profile = { name: 'Press', is_master: true, data: { output: { mirror: false, outlines: 'yes' } } }
    t.match(await host.call('POST', '/print-profiles', profile), { status: 201 })
    t.same(await exported(), [false, true])
    t.same(await exported({ mirror: true, outlines: false }), [true, false])
    const wrong = await order({ mirror: 'yes', outlines: 1 })
    t.match(wrong, {
      status: 400,
      body: { data: { params: { mirror: /true or false/, outlines: /true or false/ } } },
    })
  },
)

t.test('POST /orders/{id}/export: with outlines the PDF has no font', async (t) => {
  const { order, files } = await renderShop(t, 'SQLite', design)
  t.match(await order({ outlines: true }), { status: 201, body: { data: { status: 'completed' } } })
  t.same(await fontsIn((await files())[0]), [])
})

t.test(
  'POST /print-jobs/{id}/retry: the file is mirrored as before, whatever the settings are now',
  async (t) => {
    const { host, order } = await renderShop(t, 'SQLite', design)
    for (const mirror of [true, false]) {
      const { print_job_id: guid } = (await order({ mirror })).body.data
      await host.db
        .updateTable(host.t.print_jobs)
        .set({ status: 'failed' })
        .where('guid', '=', guid)
        .execute()
      await storeOption(host, 'svc_ae_mirror', mirror ? 'no' : 'yes')
      const { status, body } = await host.call('POST', `/print-jobs/${guid}/retry`)
      t.match([status, body.data.details.mirror ?? false], [201, mirror])
    }
  },
)
