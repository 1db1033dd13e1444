// The page of a product on the desk: each view, and what a check of its print finds in it.
import t from 'tap'
import type { Scope } from '../../../src/core/scopes.ts'
import { onEachDialect, type TestHost } from '../../support/hosts/build.ts'
import { deskShop } from '../../support/hosts/desk.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

const design = { product: [viewWith(textElement('Ada'))] }

async function addProduct(host: TestHost, fonts: Record<string, string>): Promise<number> {
  const { id } = (await host.call('POST', '/products', { title: 'Mug <b>' })).body.data
  for (const [title, fontFamily] of Object.entries(fonts)) {
    const { elements, options } = viewWith(textElement('Hello', { fontFamily }))
    await host.call('POST', `/products/${id}/views`, { title, elements, options })
  }
  return id
}

t.test('GET product: findings beside their view', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { client, host } = await deskShop(t, engine, design)
    const id = await addProduct(host, { Front: 'Liberation Sans', Back: 'Lobster' })
    const page = await client.get(`product?id=${id}`)
    t.same(page.texts('h1, h2'), ['Mug <b>', 'Front', 'Back'])
    t.match(page.texts('.notice'), ['Not ready to print.'])
    t.match(page.texts('[aria-labelledby=view-0] .good'), ['No findings.'])
    t.match(page.texts('[aria-labelledby=view-1] .finding').join(), 'The font "Lobster" is not uploaded')
    const pictures = [...page.document.querySelectorAll('main img')].map((one) => one.getAttribute('src'))
    t.same(
      pictures,
      [0, 1].map((view) => `preview?type=product&id=${id}&item=0&view=${view}&width=800`),
    )
    t.match(
      (await client.get('products')).document.querySelector('.gallery .name a')?.getAttribute('href'),
      `product?id=${id}`,
    )
  }),
)

t.test('GET product: without views, without the right, and of no product', async (t) => {
  let scopes: Scope[] = ['products:read']
  const { client, host } = await deskShop(t, 'SQLite', design, {
    desk: { authorize: () => ({ name: 'anna', scopes }) },
  })
  const id = await addProduct(host, {})
  t.match((await client.get(`product?id=${id}`)).texts('main').join(), 'This product has no views.')
  for (const wrong of ['4711', '0', 'x', ''])
    t.equal((await client.get(`product?id=${wrong}`)).status, 404, wrong)
  scopes = ['orders:read']
  t.equal((await client.get(`product?id=${id}`)).status, 403)
})
