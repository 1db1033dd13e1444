// The demo content of the example host: only ever for an empty shop.
import { addDemo } from '../../examples/host/demo.ts'
import { token } from '../support/build.ts'
import { rule } from '../support/fresh-host.ts'
import { newCategory, newProduct } from '../support/rows.ts'

const api = '/wp-json/svc/v1'

rule('a shop that has nothing but a template, or a category, gets no demo content', async (t, host) => {
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
