// Tickets of exports: a page of HTML beside the print file, for what goes with the pieces through the print shop.
import { JSDOM } from 'jsdom'
import t from 'tap'
import { shopOrder } from '../../support/fixtures/shop.ts'
import { onEachEngine } from '../../support/hosts/build.ts'
import { shortcodeOrder } from '../../support/hosts/desk.ts'
import { accept, exportShop } from '../../support/hosts/export-shop.ts'
import { decodedQr } from '../../support/peers/qr-reader.ts'
import { renderShop, textElement, viewWith } from '../../support/render/render-shop.ts'

const front = viewWith(textElement('Ada'), textElement('Far away', { left: 4000 }))
const design = { product: [front] }

/** The page of tickets in an archive, whose entries are stored as they are. */
function ticketsIn(archive: Buffer) {
  const text = archive.toString('utf8')
  const html = text.slice(text.indexOf('<!doctype html>'), text.indexOf('</html>') + 7)
  const { document } = new JSDOM(html).window
  const texts = (selector: string) =>
    [...document.querySelectorAll(selector)].map(({ textContent }) =>
      (textContent ?? '').trim().replace(/\s+/g, ' '),
    )
  return { document, texts }
}

t.test('POST /orders/{id}/export: `ticket` puts the ticket beside the print file', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, only } = await renderShop(t, engine, design, { deskUrl: 'https://shop.example/desk' })
    const meta: [string, string][] = [
      ['_svc_data', JSON.stringify(design)],
      ['_qty', '3'],
      ['Size', 'XL'],
    ]
    const { id, items } = await shopOrder(host, 'posts', { items: [{ name: 'Shirt', meta }] })
    const [item_id] = items
    const { status, body } = await host.call('POST', `/orders/${id}/export`, { item_id, ticket: true })
    t.equal(status, 201)
    t.match(body.data.file, /\.zip$/)
    const archive = await only()
    t.match(archive.toString('latin1'), /%PDF/)
    const { document, texts } = ticketsIn(archive)
    t.same(texts('h2'), [`Shop ${id}`])
    t.match(texts('.ticket').join(), /3 pieces.*Shirt.*Size ?XL/)
    t.match(texts('.findings').join(), 'The element lies outside of the printed box.')
    t.match(document.querySelector('img')?.getAttribute('src'), /^data:image\/png;base64,iVBOR/)
    t.match(document.querySelector('style')?.textContent, 'dl > div {')
    const code = document.querySelector('svg.code')?.outerHTML ?? ''
    t.equal(
      await decodedQr(code),
      `https://shop.example/desk/order?type=wc&id=${id}&item=${item_id}#item-${item_id}`,
    )
  }),
)

t.test(
  'POST /orders/{id}/export: tickets of all items of an order, and customers’ text as text',
  async (t) => {
    const { host, files, only } = await renderShop(t, 'SQLite', design)
    const item = (quantity: string) => ({
      name: 'Mug',
      meta: [
        ['_svc_data', JSON.stringify(design)],
        ['_qty', quantity],
      ] as [string, string][],
    })
    const { id } = await shopOrder(host, 'posts', { items: [item('1'), item('2')] })
    const sheet = await host.call('POST', `/orders/${id}/export`, { pages: 'sheet', ticket: true })
    t.equal(sheet.status, 201)
    const all = ticketsIn(await only())
    t.same(all.texts('.pieces'), ['1 piece', '2 pieces'])
    t.same(all.texts('svg.code'), [])
    await host.call('DELETE', `/print-jobs/${sheet.body.data.print_job_id}`)
    t.same(await files(), [])
    const customer_name = '</style><script>alert(1)</script>'
    const code = await shortcodeOrder(host, { customer_name, customer_mail: '', views: design.product })
    await host.call('POST', `/orders/${code}/export`, {
      type: 'shortcode',
      ticket: true,
      output_format: 'png',
    })
    const { document, texts } = ticketsIn(await only())
    t.match(texts('dd').join(), customer_name)
    t.equal(document.querySelectorAll('script').length, 0)
  },
)

t.test('POST /orders/{id}/export: 400 for `ticket` where an export service makes the file', async (t) => {
  const { order, requests } = await exportShop(t, 'SQLite', accept, { wait: 0 })
  t.match(await order({ ticket: true }), { status: 400, body: { data: { params: { ticket: /renderer/ } } } })
  t.same(requests, [])
})
