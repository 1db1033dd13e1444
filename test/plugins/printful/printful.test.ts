// Print jobs of products that Printful prints: from the notification to the draft, with the shop's rows on both ends.
import t, { type Test } from 'tap'
import { readPhp } from '../../../src/db/php-value.ts'
import { memoryProvider } from '../../support/fixtures/memory-provider.ts'
import { row } from '../../support/fixtures/shop.ts'
import { onEachEngine } from '../../support/hosts/build.ts'
import { printHost } from '../../support/hosts/print.ts'
import { billing, printfulShop, type ShopOptions, shipping } from '../../support/hosts/printful-shop.ts'
import { printful, status } from '../../support/peers/printful.ts'
import { php } from '../../support/wordpress/php.ts'

type HostOptions = Parameters<typeof printHost>[1]

async function make(t: Test, options: ShopOptions = {}, hostOptions: HostOptions = {}) {
  const remote = await printful(t)
  const host = await printHost(t, { printful: { url: remote.url }, ...hostOptions })
  const shop = await printfulShop(host, options)
  await shop.setToken()
  const job = (order: number, item: number, variation: unknown = shop.variation) =>
    host.newJob({ order_id: order, item_id: item, order_type: 'wc', variation_printful: variation })
  /** The error of a job for a fresh order that must fail for good. */
  const refusal = async (item = {}, addresses = {}, variation: unknown = shop.variation) => {
    const order = await shop.order([item], { shipping, billing, ...addresses })
    const { guid } = await job(order.id, order.items[0] ?? 0, variation)
    t.match(await host.notify(guid), { status: 200, body: { data: { status: 'failed' } } })
    return (await host.job(guid)).error
  }
  return { remote, host, shop, job, refusal }
}

for (const shopKind of ['posts', 'tables'] as const) {
  t.test(`orders as ${shopKind}: a notification makes a draft and writes down what PHP reads`, async (t) => {
    await onEachEngine(t, async (t, engine) => {
      const changes: object[] = []
      const reported: string[] = []
      const { remote, host, shop, job } = await make(
        t,
        { shop: shopKind },
        {
          engine,
          onMetaChanged: (change) => changes.push(change),
          onChange: ({ resource, action }) => reported.push(`${resource} ${action}`),
        },
      )
      const order = await shop.order([{}, { _qty: '1', _line_total: '7' }])
      const [first = 0, second = 0] = order.items
      for (const item of order.items) {
        const { guid } = await job(order.id, item)
        t.match(await host.notify(guid), { status: 200, body: { data: { status: 'completed' } } })
        const { file_url } = await host.job(guid)
        const placed = remote.orders.get(String(order.id))?.items.at(-1)
        t.match(placed?.files, [{ type: 'front', url: file_url }])
      }
      const printed = ['print_job updated', 'print_job completed']
      t.same(reported, [...printed, ...printed], 'the order is not an event of its own')
      const draft = remote.orders.get(String(order.id))
      t.match(draft?.items, [
        { external_id: String(first), variant_id: 4012, quantity: 2, retail_price: '19.90', name: 'Shirt 1' },
        { external_id: String(second), variant_id: 4012, quantity: 1, retail_price: '7.00', name: 'Shirt 2' },
      ])
      t.match(draft?.recipient, {
        name: 'Grace Hopper',
        address1: '1 Navy Road',
        address2: 'Floor 2',
        city: 'Arlington',
        state_code: 'VA',
        zip: '22201',
        country_code: 'US',
        phone: '+44 1',
        email: 'ada@shop.example',
      })
      t.equal(draft?.status, 'draft')
      t.same(remote.confirmations(), [])
      t.same(await shop.meta(order.id, '_svc_printful_order_dashboard_url'), [draft?.dashboard_url])
      const [data = '', ...more] = await shop.meta(order.id, '_svc_printful_order_data')
      t.same(more, [])
      t.doesNotThrow(() => readPhp(data))
      const script =
        '$o = unserialize(stream_get_contents(STDIN)); echo json_encode([$o["id"], count($o["items"])]);'
      t.same(JSON.parse(await php(script, data)), [draft?.id, 2])
      const table = shopKind === 'tables' ? 'wp_wc_orders_meta' : 'wp_postmeta'
      const keys = ['_svc_printful_order_data', '_svc_printful_order_dashboard_url']
      t.same(
        changes,
        [1, 2].map(() => ({ table, objectId: order.id, keys })),
      )
    })
  })

  t.test(
    `orders as ${shopKind}: without a shipping address the billing address counts as a whole`,
    async (t) => {
      await onEachEngine(t, async (t, engine) => {
        const { remote, host, shop, job } = await make(t, { shop: shopKind }, { engine })
        const order = await shop.order([{}], { shipping: { first_name: 'Only', city: 'Name' }, billing })
        const { guid } = await job(order.id, order.items[0] ?? 0)
        t.equal((await host.notify(guid)).status, 200)
        t.same(remote.orders.get(String(order.id))?.recipient, {
          country_name: 'Country',
          name: 'Ada Lovelace',
          address1: '9 Byron Street',
          city: 'London',
          zip: 'E1',
          country_code: 'GB',
          phone: '+44 1',
          email: 'ada@shop.example',
        })
      })
    },
  )
}

t.test(
  'what cannot be printed fails for good with its reason, and nothing reaches the provider',
  async (t) => {
    const { remote, refusal, host, job } = await make(t)
    const error = (message: RegExp) => ({ code: 'svc_print_provider_refused', message })
    t.match(
      await refusal({}, { shipping: {}, billing: {} }),
      error(/lacks: name, address1, city, country_code/),
    )
    t.match(await refusal({}, { shipping: { ...shipping, country: '' } }), error(/lacks: country_code/))
    for (const _qty of ['0', '1.5', '', '-1', '1001'])
      t.match(await refusal({ _qty }), error(/quantity/), _qty)
    t.match(await refusal({}, {}, 999), error(/variation 999/))
    t.match(await refusal({}, {}, { id: 300 }), error(/not an id/))
    for (const details of [
      { order_id: 77, item_id: 5 },
      { order_id: 77 },
      { order_id: 77, item_id: 5, order_type: 'gf' },
      { order_id: '13abc', item_id: 5 },
    ]) {
      const { guid } = await host.newJob({ ...details, variation_printful: 300 })
      t.equal((await host.notify(guid)).body.data.status, 'failed')
      t.match((await host.job(guid)).error, error(/./))
    }
    const { guid } = await job(1, 1)
    t.equal((await host.notify(guid)).body.data.status, 'failed')
    t.same(remote.requests, [])
  },
)

t.test('an order without the tables of a shop is refused, not tried forever', async (t) => {
  const remote = await printful(t)
  const host = await printHost(t, { printful: { url: remote.url } })
  const values = { option_name: 'svc_printful_api_key', option_value: 'x', autoload: 'yes' }
  await host.db.insertInto(host.t.options).values(values).execute()
  const { guid } = await host.newJob({ order_id: 17, item_id: 5, variation_printful: 1 })
  t.equal((await host.notify(guid)).body.data.status, 'failed')
})

t.test(
  'the job may name a variation of the shop or a variant of the provider; what was sold decides',
  async (t) => {
    const { remote, host, shop, job } = await make(t)
    for (const named of [shop.variation, String(shop.variation), 4012, '4012']) {
      const order = await shop.order()
      const { guid } = await job(order.id, order.items[0] ?? 0, named)
      t.match(await host.notify(guid), { body: { data: { status: 'completed' } } }, String(named))
      t.equal(remote.orders.get(String(order.id))?.items[0]?.variant_id, 4012)
    }
    const other = await row(host, 'posts', { ID: 900, post_type: 'product_variation' })
    await row(host, 'postmeta', { post_id: 900, meta_key: 'svc_printful_variant_id', meta_value: '4013' })
    const order = await shop.order()
    const { guid } = await job(order.id, order.items[0] ?? 0, other)
    t.match(await host.notify(guid), { body: { data: { status: 'completed' } } })
    t.equal(remote.orders.get(String(order.id))?.items[0]?.variant_id, 4013, 'one that was not sold')
  },
)

t.test('templates are read in every form in which they may be stored', async (t) => {
  const front = [
    '[{"placement":"front","template_id":1}]',
    '["front"]',
    '{"front":{"template_id":1}}',
    '[{\\"placement\\":\\"front\\"}]',
    '[{"type":"front"}]',
    'a:1:{i:0;a:2:{s:9:"placement";s:5:"front";s:11:"template_id";i:7;}}',
  ]
  for (const storedTemplates of front) {
    const { remote, host, shop, job } = await make(t, { storedTemplates })
    const order = await shop.order()
    const { guid } = await job(order.id, order.items[0] ?? 0)
    await host.notify(guid)
    t.equal(remote.orders.get(String(order.id))?.items[0]?.files[0]?.type, 'front', storedTemplates)
  }
  for (const storedTemplates of ['{broken', 'O:1:"X":0:{}', '[{"no":"placement"}]', '["<b>"]', '7']) {
    const { refusal } = await make(t, { storedTemplates })
    t.match(await refusal(), { message: /templates/ }, storedTemplates)
  }
})

t.test(
  'the token is read for each job, and a host with a provider of its own is not asked for one',
  async (t) => {
    const { remote, host, shop, job } = await make(t)
    await shop.setToken('')
    const order = await shop.order([{}, {}])
    const { guid } = await job(order.id, order.items[0] ?? 0)
    t.equal((await host.notify(guid)).body.data.status, 'failed')
    t.equal((await host.job(guid)).error.code, 'svc_print_provider_not_configured')
    await shop.setToken('of-yesterday')
    t.equal((await host.notify(guid)).body.data.status, 'failed')
    t.match((await host.job(guid)).error, { code: 'svc_print_provider_refused', message: /401/ })
    t.equal(
      (await host.call('PATCH', '/settings', { svc_printful_api_key: ' pf-secret-token-0123456789 ' }))
        .status,
      200,
    )
    t.equal((await host.notify(guid)).body.data.status, 'completed')
    t.same((await host.job(guid)).error, null)
    t.equal(remote.orders.size, 1)

    const provider = memoryProvider()
    const own = await make(t, {}, { printProvider: provider })
    const other = await own.shop.order()
    await own.host.notify((await own.job(other.id, other.items[0] ?? 0)).guid)
    t.equal(provider.calls, 1)
    t.same(own.remote.requests, [])
  },
)

t.test('a provider that is out of order or at its limit leaves the job to be tried again', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const { remote, host, shop, job } = await make(t, {}, { engine })
    const order = await shop.order()
    const { guid } = await job(order.id, order.items[0] ?? 0)
    remote.faults.push(status(500))
    t.match(await host.notify(guid), { status: 502, body: { code: 'svc_print_provider_unavailable' } })
    remote.faults.push(undefined, status(429, 'Slow down', { 'retry-after': '55' }))
    const limited = await host.notify(guid)
    t.match(limited, { status: 502, headers: { 'retry-after': '55' } })
    t.not((await host.job(guid)).status, 'completed')
    t.match(await host.notify(guid), { status: 200, body: { data: { status: 'completed' } } })
    t.same(remote.items(String(order.id)), [String(order.items[0])])
    t.equal(host.router.hits.length, 1, 'the file is fetched once')
  })
})

t.test('the token is in no log, error and response, whatever the provider says', async (t) => {
  const lines: string[] = []
  const { remote, host, shop, job } = await make(
    t,
    {},
    { server: { logger: { level: 'trace', stream: { write: (line: string) => void lines.push(line) } } } },
  )
  const secret = 'pf-secret-token-0123456789'
  const order = await shop.order()
  const { guid } = await job(order.id, order.items[0] ?? 0)
  const responses: string[] = []
  for (const fault of [
    status(500, secret),
    status(400, `Bearer ${secret}`),
    status(429, secret, { 'retry-after': '99' }),
  ]) {
    remote.faults.push(fault)
    responses.push((await host.notify(guid)).text, JSON.stringify(await host.job(guid)))
  }
  responses.push((await host.notify(guid)).text, (await host.call('GET', '/system')).text)
  t.ok(lines.length > 0)
  t.notMatch([...lines, ...responses].join('\n'), secret)
})

t.test('/system says that the provider is active as soon as its token is set', async (t) => {
  const { host, shop } = await make(t)
  t.equal((await host.call('GET', '/system')).body.data.integrations.printful, true)
  await shop.setToken('  ')
  t.equal((await host.call('GET', '/system')).body.data.integrations.printful, false)
})
