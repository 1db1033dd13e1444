// The example host orders at the provider that its environment names.
import t from 'tap'
import { start, stop } from '../support/hosts/example-host.ts'
import { printHost } from '../support/hosts/print.ts'
import { printfulShop } from '../support/hosts/printful-shop.ts'
import { printful } from '../support/peers/printful.ts'

t.test('SVC_PRINTFUL_URL is where the host orders', async (t) => {
  const remote = await printful(t)
  const beside = await printHost(t)
  const shop = await printfulShop(beside)
  await shop.setToken()
  const order = await shop.order()
  const [item_id] = order.items
  const { guid } = await beside.newJob({ order_id: order.id, item_id, variation_printful: shop.variation })
  const running = await start(t, t.testdir({}), {
    DATABASE_URL: beside.address,
    SVC_DEMO: '0',
    SVC_PRINT_READY_ALLOW: beside.router.pair,
    SVC_PRINTFUL_URL: `${remote.url}/`,
  })
  const [, own] = /Listening on +(\S+)/.exec(running.printed) ?? []
  const query = new URLSearchParams({ file_url: `${beside.router.url}/a.png` })
  const response = await fetch(`${own}/wp-json/svc-export/v1.0/print_job/${guid}?${query}`, {
    method: 'POST',
  })
  t.equal(Object(await response.json()).data?.status, 'completed')
  t.same(remote.items(String(order.id)), [String(item_id)])
  await stop(running, 'SIGTERM')
})
