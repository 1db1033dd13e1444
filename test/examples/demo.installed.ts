// The demo content of the example host: only ever for an empty shop.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { addDemo, printableOrder } from '../../examples/host/demo.ts'
import { svcDesk } from '../../plugins/index.ts'
import { newCategory, newProduct } from '../support/fixtures/rows.ts'
import { createShop } from '../support/fixtures/shop.ts'
import { build, type Engine, onEachEngine, token } from '../support/hosts/build.ts'
import { rule } from '../support/hosts/fresh-host.ts'

const api = '/wp-json/svc/v1'

/** The demo in the database of its own host. */
async function demoOn(t: Test, engine: Engine = 'SQLite') {
  const dir = t.testdir({})
  const host = await build(t, {
    engine,
    uploads: { dir, url: 'https://shop.example/uploads' },
    renderer: true,
    after: (app) => app.register(svcDesk, { prefix: '/desk', authorize: () => true }),
  })
  const shop = { database: host.address, tablePrefix: 'wp_' }
  const uploads = { dir, url: '/uploads' }
  return { ...host, dir, add: () => addDemo(host.app, { api, token, uploads, shop }) }
}

rule('a shop with only a template, or only a category, gets no demo content', async (t, host) => {
  const uploads = { dir: t.testdir({}), url: 'https://shop.example/uploads' }
  const total = async () => (await host.call('GET', '/products?type=all')).body.meta.total
  const template = await newProduct(host, { type: 'template' })
  await addDemo(host.app, { api, token, uploads })
  t.equal(await total(), 1)
  await host.call('DELETE', `/products/${template}`)
  const category = await newCategory(host, 'Cups')
  await addDemo(host.app, { api, token, uploads })
  t.equal(await total(), 0)
  await host.call('DELETE', `/categories/${category}`)
  await addDemo(host.app, { api, token, uploads })
  t.equal(await total(), 9)
})

t.test('the demo order can be printed, and all its products have previews', async (t) => {
  const uploads = { dir: t.testdir({}), url: 'https://shop.example/uploads' }
  const host = await build(t, { uploads, renderer: true })
  await addDemo(host.app, { api, token, uploads })
  const order = await printableOrder(host.app, { api, token })
  const { status, body } = await host.call('POST', `/orders/${order}/export`, { type: 'shortcode' })
  t.match({ status, data: body.data }, { status: 201, data: { status: 'completed', file: /\.pdf$/ } })
  const job = (await host.call('GET', `/print-jobs/${body.data.print_job_id}`)).body.data
  t.notOk(job.warnings, 'nothing is worth a warning')
  const [product] = (await host.call('GET', '/products?limit=1')).body.data
  t.equal((await host.call('GET', `/products/${product.id}/preview`)).status, 200)
})

t.test('every list of the API has something in it, and every picture and font in it is there', async (t) => {
  const host = await demoOn(t)
  const later = await host.add()
  await later?.()
  const lists = [
    'products',
    'categories',
    'design-categories',
    'pricing-rules',
    'print-profiles',
    'user-interfaces',
  ]
  lists.push('text-templates', 'fonts', 'assets', 'orders', 'orders?type=gf', 'orders?type=shortcode')
  lists.push('shortcode-orders', 'print-jobs')
  for (const list of lists) {
    const { status, body } = await host.call('GET', `/${list}`)
    t.strictSame([status, body.data.length > 1 || list === 'assets'], [200, true], list)
  }
  const orders = (await host.call('GET', '/orders?limit=100')).body.data as { id: number; status: string }[]
  t.equal(new Set(orders.map(({ status }) => status)).size, 7)
  const drawn = (await readdir(join(host.dir, 'svc/demo'))).filter((name) => name.endsWith('.png'))
  t.equal(drawn.length, 9 + 2)
})

t.test('its print jobs are done, or failed with a reason; names and numbers are printed', async (t) => {
  const host = await demoOn(t)
  const later = await host.add()
  await later?.()
  const jobs = (await host.call('GET', '/print-jobs')).body.data as {
    status: string
    error: { message: string }
  }[]
  t.strictSame(jobs.map(({ status }) => status).sort(), ['completed', 'completed', 'failed'])
  t.match(jobs.find(({ status }) => status === 'failed')?.error.message, /"Your picture": The file is not/)
  const orders = (await host.call('GET', '/orders?search=Hana')).body.data
  const [{ id, order_items }] = orders
  const wish = { type: 'wc', item_id: order_items[0].id }
  t.match(await host.call('POST', `/orders/${id}/export`, wish), {
    status: 201,
    body: { data: { status: 'completed' } },
  })
})

t.test('addDemo: each engine has the same twelve orders, and GET /desk/order opens every one', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await demoOn(t, engine)
    await host.add()
    const opened: string[] = []
    for (const type of ['wc', 'gf', 'shortcode'])
      for (const { id } of (await host.call('GET', `/orders?type=${type}&limit=100`)).body.data) {
        const { statusCode, payload } = await host.app.inject(`/desk/order?type=${type}&id=${id}`)
        t.equal(statusCode, 200, `${type} ${id}`)
        if (id === 1048) t.match(payload, 'Please deliver before Friday.')
        opened.push(`${type}:${id}`)
      }
    const ofShop = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `wc:${1040 + number}`)
    t.same(opened.sort(), [...ofShop, 'gf:1', 'gf:2', 'shortcode:1', 'shortcode:2'].sort())
  }),
)

t.test('addDemo: a database with a table of the CMS keeps it as it is', async (t) => {
  const host = await demoOn(t)
  await createShop(host, ['posts'])
  await host.add()
  t.match(await host.call('GET', '/orders?type=wc'), { status: 400 })
})

t.test('a second start adds nothing', async (t) => {
  const host = await demoOn(t)
  t.ok(await host.add())
  const counts = async () => (await host.call('GET', '/system')).body.data.counts
  const before = await counts()
  t.equal(await host.add(), undefined)
  t.strictSame(await counts(), before)
})
