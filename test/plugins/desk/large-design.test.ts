// The desk: the order page of a design with very many views and print areas.
import t from 'tap'
import { shownDesign } from '../../../plugins/desk/design.ts'
import { deskShop, wcOrder } from '../../support/hosts/desk.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

const areas = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `area-${index}`,
    printingBox: { left: index % 300, top: 10, width: 75, height: 50 },
    output: { width: 75, height: 50, bleed: 3 },
  }))

function viewOf(title: string, count: number) {
  const { options, ...view } = viewWith(textElement('Hello'))
  return { ...view, title, options: { ...options, printAreas: areas(count) } }
}

t.test('GET order: the first 100 print areas of all views, and how many more each view has', async (t) => {
  const small = { product: [viewOf('Front', 3)] }
  const { client, host, id } = await deskShop(t, 'SQLite', small)
  const first = await client.get(`order?type=wc&id=${id}`)
  t.equal(first.texts('figcaption .remark').filter((text) => /mm/.test(text)).length, 3)
  t.notMatch(first.text, 'not shown')

  const large = await wcOrder(host, '2026-06-01 08:00:00', [
    { product: [viewOf('Front', 60), viewOf('Back', 32_000), viewOf('Left', 2)] },
  ])
  const page = await client.get(`order?type=wc&id=${large.id}`)
  const remarks = page.texts('figcaption .remark')
  t.equal(remarks.filter((text) => /mm/.test(text)).length, 100)
  t.equal(page.document.querySelectorAll('.sheet rect').length, 200)
  t.same(
    remarks.filter((text) => /not shown/.test(text)),
    ['31960 more print areas are not shown.', '2 more print areas are not shown.'],
  )
  t.ok(page.text.length < 100_000, `${page.text.length} characters`)
})

t.test('GET order: the first 200 views, and how many more there are', async (t) => {
  const design = { product: Array.from({ length: 203 }, (_, index) => viewOf(`View ${index}`, 1)) }
  const { client, id } = await deskShop(t, 'SQLite', design)
  const page = await client.get(`order?type=wc&id=${id}`)
  t.equal(page.document.querySelectorAll('figure').length, 200)
  t.match(page.text, '3 more views are not shown.')
})

t.test('shownDesign: a design at its limits has nothing more', async (t) => {
  const { views, moreViews } = shownDesign(JSON.stringify([viewOf('Front', 100)]))
  t.same([moreViews, views.map(({ pages, morePages }) => [pages.length, morePages])], [0, [[100, 0]]])
})
