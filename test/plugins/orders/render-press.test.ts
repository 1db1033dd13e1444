// Mirrored and outlined files for a press, with their tickets: they stay PDF/X-4.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { ensureCommands } from '../../support/debian.ts'
import { shopOrder } from '../../support/fixtures/shop.ts'
import { pdfXFaults } from '../../support/render/pdf-x.ts'
import { renderShop, textElement, viewWith } from '../../support/render/render-shop.ts'

await ensureCommands({ pdffonts: 'poppler-utils', qpdf: 'qpdf', gs: 'ghostscript' })
const renderer = {
  color: 'pdfx4',
  profile: '/usr/share/color/icc/ghostscript/default_cmyk.icc',
} as const
const design = { product: [viewWith(textElement('Hello'))] }
const run = async (command: string, ...parameters: string[]) =>
  (await promisify(execFile)(command, parameters)).stdout

/** The PDF in an archive, whose entries are stored as they are. */
const pdfIn = (archive: Buffer) =>
  archive.subarray(archive.indexOf('%PDF'), archive.lastIndexOf('%%EOF') + 'EOF'.length + 3)

/** What is not as PDF/X-4 demands, and the fonts. */
async function inspected(t: Test, pdf: Buffer) {
  const dir = await mkdtemp(join(tmpdir(), 'svc-press-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const path = join(dir, 'a.pdf')
  await writeFile(path, pdf)
  const faults = pdfXFaults(
    JSON.parse(
      await run('qpdf', '--json=2', '--json-stream-data=inline', '--decode-level=generalized', path),
    ),
  )
  return { faults, fonts: (await run('pdffonts', path)).trim().split('\n').slice(2) }
}

t.test(
  'POST /orders/{id}/export: mirror, outlines and ticket of a PDF/X-4, alone and on sheets',
  async (t) => {
    const { host, id, item, files, only } = await renderShop(t, 'SQLite', design, { renderer })
    for (const [parts, ending] of [
      [{ item_id: item, mirror: true }, /\.pdf$/],
      [{ item_id: item, mirror: true, outlines: true, ticket: true }, /\.zip$/],
      [{ pages: 'sheet', mirror: true, outlines: true, ticket: true }, /\.zip$/],
    ] as const) {
      const { status, body } = await host.call('POST', `/orders/${id}/export`, parts)
      t.match([status, body.data.status], [201, 'completed'])
      t.match(body.data.file, ending)
      t.ok(body.data.findings.some(({ code }: { code: string }) => code === 'mirror'))
      const file = await only()
      const pdf = 'ticket' in parts ? pdfIn(file) : file
      const { faults, fonts } = await inspected(t, pdf)
      t.same(faults, [], JSON.stringify(parts))
      if ('ticket' in parts) t.match(file.toString('utf8'), /<h2>Shop \d+<\/h2>/)
      t.equal(fonts.length === 0, 'outlines' in parts)
      await host.call('DELETE', `/print-jobs/${body.data.print_job_id}`)
      t.same(await files(), [])
    }
  },
)

t.test(
  'POST /orders/{id}/export: 201 with a ticket of an order whose items share a product name',
  async (t) => {
    const { host, only } = await renderShop(t, 'SQLite', design, { renderer })
    const meta: [string, string][] = [['_svc_data', JSON.stringify(design)]]
    const { id } = await shopOrder(host, 'posts', { items: [{ meta }, { meta }] })
    const order = { pages: 'sheet', ticket: true, output_format: 'png' }
    t.match(await host.call('POST', `/orders/${id}/export`, order), { status: 400 })
    t.match(await host.call('POST', `/orders/${id}/export`, { ...order, output_format: 'svg-pdf' }), {
      status: 201,
    })
    t.equal((await only()).toString('utf8').match(/<article/g)?.length, 2)
  },
)
