// The check of all products on the desk: in the background, with its progress, and for whom.
import t from 'tap'
import { onEachDialect, type TestHost } from '../../support/hosts/build.ts'
import { deskShop } from '../../support/hosts/desk.ts'
import type { ScreenClient } from '../../support/hosts/screen.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

const design = { product: [viewWith(textElement('Ada'))] }

async function addProduct(host: TestHost, title: string, parameters?: object): Promise<number> {
  const { id } = (await host.call('POST', '/products', { title })).body.data
  if (parameters) {
    const { elements, options } = viewWith(textElement('Hello', parameters))
    await host.call('POST', `/products/${id}/views`, { title: 'Front', elements, options })
  }
  return id
}

/** The page once the check has ended; the test's own limit of time ends the wait. */
async function ended(client: ScreenClient) {
  for (;;) {
    const page = await client.get('products')
    if (!page.document.querySelector('#check progress')) return page
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

t.test('all products are checked in the background, and what is wrong is kept', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { host, client } = await deskShop(t, engine, design)
    const bad = await addProduct(host, 'Mug', { fontFamily: 'Lobster <b>' })
    const good = await addProduct(host, 'Shirt', {})
    await addProduct(host, 'Without views')
    const before = await client.get('products')
    t.match(before.texts('#check button'), ['Check all products'])
    t.equal((await client.submit(before, 'check-products')).headers.location, 'products')
    const page = await ended(client)
    const text = page.texts('#check').join()
    t.match(text, /3 products checked until .*kept until the server restarts/)
    t.match(text, /1 not ready to print/)
    const found = page.texts('#check li')
    t.match(
      found[0],
      new RegExp(`^Mug, product ${bad} Not ready to print.*The font "Lobster <b>" is not uploaded`),
    )
    t.notOk(found.some((line) => line.includes(`product ${good} Not ready`)))
    const link = page.document.querySelector('#check li a')?.getAttribute('href') ?? ''
    t.match((await client.get(link)).texts('.notice').join(), 'Not ready to print.')
    const again = await client.submit(page, 'check-products')
    t.equal(again.status, 303)
    t.match((await ended(client)).texts('#check').join(), '3 products checked')
  }),
)

t.test(
  'while it runs it shows its progress and can be stopped, and a second one does not begin',
  async (t) => {
    const { host, client } = await deskShop(t, 'SQLite', design)
    for (let i = 0; i < 30; i++) await addProduct(host, `Mug ${i}`, {})
    const before = await client.get('products')
    await client.submit(before, 'check-products')
    const running = await client.get('products')
    const bar = running.document.querySelector('#check progress')
    t.equal(bar?.getAttribute('max'), '30')
    t.match(running.texts('#check').join(), /\d+ of 30 checked/)
    await client.submit(running, 'check-products')
    t.ok(
      Number(
        (await client.get('products')).document.querySelector('#check progress')?.getAttribute('value'),
      ) >= Number(bar?.getAttribute('value')),
    )
    await client.submit(running, 'stop-check')
    const stopped = await ended(client)
    t.match(stopped.texts('#check').join(), 'It was stopped.')
  },
)

t.test(
  'whoever may only read products sees what was found, but neither starts nor stops a check',
  async (t) => {
    const { client } = await deskShop(t, 'SQLite', design, {
      desk: { authorize: () => ({ name: 'anna', scopes: ['products:read'] }) },
    })
    const page = await client.get('products')
    t.match(page.texts('main h2').join(), 'Check before printing')
    t.equal(page.document.querySelector('main form'), null)
    for (const action of ['check-products', 'stop-check'])
      t.equal((await client.post(action, [])).status, 403, action)
  },
)

t.test('it needs a form of this desk', async (t) => {
  const { client } = await deskShop(t, 'SQLite', design)
  t.equal((await client.post('check-products', [])).status, 403)
})
