// The demo content of the example host: only ever for an empty shop.
import t from 'tap'
import { addDemo, printableOrder } from '../../examples/host/demo.ts'
import { build, token } from '../support/build.ts'
import { rule } from '../support/fresh-host.ts'
import { newCategory, newProduct } from '../support/rows.ts'

const api = '/wp-json/svc/v1'

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
  t.equal(await total(), 7)
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
