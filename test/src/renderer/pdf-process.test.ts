// PDFs of customers in the renderer's own process: preflight, preview and print agree, and a PDF that would take all memory is refused.
import { readFile, rm } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { pdf, pdfStream } from '../../support/fixtures/make-pdf.ts'
import { httpServer } from '../../support/peers/servers.ts'
import { inkedArea } from '../../support/render/pdf-designs.ts'
import { pictureElement, viewWith } from '../../support/render/render-shop.ts'
import { shopRenderer } from '../../support/render/shop-renderer.ts'

const centered = { originX: 'center', originY: 'center' }

t.test('renderer: a PDF is checked, shown and printed in the process of the renderer', async (t) => {
  const server = await httpServer(t, (_request, response) => response.end(pdf()))
  const { preflight, preview, print } = await shopRenderer(t, server.pair)
  const view = viewWith(pictureElement(`${server.url}/logo.pdf`, centered))
  t.match(await preflight('order 1', view), { printable: true, findings: [] })
  // The stage of 400 × 300 pixels is stretched to 400 × 400.
  const area = await inkedArea(await preview('order 1', view, 400))
  const isNear = [100, 200, 100, 133].every((value, index) => Math.abs(value - (area[index] ?? 0)) <= 2)
  t.ok(isNear, area.join())
  const { path } = await print('order 1', view)
  t.match((await readFile(path)).toString('latin1'), /\/Subtype \/Form\n\/BBox \[0 0 200 200\]/)
  await rm(path)
})

t.test('renderer: a PDF of millions of operators is refused alike by preflight and print', async (t) => {
  const content = deflateSync(Buffer.alloc(30 * 2 ** 20, '1 1 9 9 re f '))
  const file = pdf({ page: '/Contents 5 0 R', objects: [pdfStream('/Filter /FlateDecode', content)] })
  const server = await httpServer(t, (_request, response) => response.end(file))
  const { preflight, print } = await shopRenderer(t, server.pair)
  const view = viewWith(pictureElement(`${server.url}/logo.pdf`, centered))
  const message = /content of the PDF is too large/
  t.match(await preflight('order 1', view), { printable: false, findings: [{ message }] })
  await t.rejects(print('order 1', view), { message })
})
