// Exports with `pages: "sheet"`: several pages on each sheet, and all items of an order in one file.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { ensureCommands } from '../../support/debian.ts'
import { shopOrder } from '../../support/fixtures/shop.ts'
import { renderShop, textElement, viewWith } from '../../support/render/render-shop.ts'

await ensureCommands({ pdfinfo: 'poppler-utils' })
const run = async (command: string, ...parameters: string[]) =>
  (await promisify(execFile)(command, parameters)).stdout

const names = ['Ada', 'Grace', 'Edsger'].map((name) => ({ name, number: '1' }))
const shirt = { ...viewWith(textElement('NAME', { textPlaceholder: true })), names_numbers: names }

t.test('the names of an item lie on one sheet of the size that the host names', async (t) => {
  const renderer = { sheet: { width: 300, height: 200 } }
  const { order, files } = await renderShop(t, 'SQLite', [shirt], { renderer })
  t.match(await order({ pages: 'sheet' }), { status: 201, body: { data: { status: 'completed' } } })
  const [path = ''] = await files()
  const info = await run('pdfinfo', path)
  t.match(info, /Pages: +1\n/)
  t.match(info, /Page size: +850\.39\d* x 566\.9\d* pts/)
  const words = await run('pdftotext', path, '-')
  for (const { name } of names) t.match(words, name)
})

t.test('without an item all items of the order are one file, each as often as it was ordered', async (t) => {
  const { host, files } = await renderShop(t, 'SQLite', [shirt])
  const item = (name: string, quantity: string) => ({
    meta: [
      ['_svc_data', JSON.stringify([viewWith(textElement(name))])],
      ['_qty', quantity],
    ] as [string, string][],
  })
  const { id } = await shopOrder(host, 'posts', { items: [item('Barbara', '3'), item('Alan', '1')] })
  const answer = await host.call('POST', `/orders/${id}/export`, { pages: 'sheet' })
  t.match(answer, { status: 201, body: { data: { status: 'completed', item_id: null } } })
  const [path = ''] = await files()
  const words = await run('pdftotext', path, '-')
  t.equal(words.split('Barbara').length - 1, 3)
  t.equal(words.split('Alan').length - 1, 1)
})

t.test('a design of one item cannot say how often it is printed', async (t) => {
  const design = [viewWith(textElement('Greta'))]
  const greedy = { svc_bundle: [{ title: 'Many', copies: 1000, design }] }
  const { order, files } = await renderShop(t, 'SQLite', greedy)
  t.match(await order({ pages: 'sheet' }), { status: 201, body: { data: { status: 'completed' } } })
  const [path = ''] = await files()
  t.equal((await run('pdftotext', path, '-')).split('Greta').length - 1, 1)
})

t.test('single pages still need an item, and sheets are for PDF', async (t) => {
  const { order, host, id } = await renderShop(t, 'SQLite', [shirt])
  t.match(await host.call('POST', `/orders/${id}/export`, {}), {
    status: 400,
    body: { data: { params: ['item_id'] } },
  })
  t.match(await order({ pages: 'sheet', output_format: 'png' }), {
    status: 400,
    body: { data: { params: { pages: /PDF/ } } },
  })
  t.match(await order({ pages: 'many' }), { status: 400 })
})

t.test('an export service makes single pages', async (t) => {
  const exportService = { url: 'http://127.0.0.1:9/' }
  const { order } = await renderShop(t, 'SQLite', [shirt], { exportService })
  t.match(await order({ pages: 'sheet' }), {
    status: 400,
    body: { data: { params: { pages: /renderer/ } } },
  })
})

t.test('a sheet without room aborts startup with a sentence', async (t) => {
  const renderer = { sheet: { width: 20, height: 20, margin: 10 } }
  await t.rejects(renderShop(t, 'SQLite', [shirt], { renderer }), {
    message: /^renderer\.sheet: the margins/,
  })
  const wrong = { sheet: { width: -1 } }
  await t.rejects(renderShop(t, 'SQLite', [shirt], { renderer: wrong }), {
    message: /renderer\.sheet\.width: must be/,
  })
})
