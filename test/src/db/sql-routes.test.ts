// The statements of the routes whose repositories sql.test.ts does not call: designs, rules, profiles, layouts, and every
// source of orders. Settings, text templates, the color library and fonts have no statements of their own: they go
// through the option store, which sql.test.ts records.
import t, { type Test } from 'tap'
import { createShop, row, type Shop, shopOrder, useShop } from '../../support/fixtures/shop.ts'
import { type Engine, onEachDialect } from '../../support/hosts/build.ts'
import { type WatchedHost, watched } from '../../support/hosts/statements.ts'

type Call = [name: string, method: string, path: string, body?: object]

/** Sorted, because statements of one request may run side by side. */
async function record(t: Test, host: WatchedHost, calls: readonly Call[]): Promise<void> {
  for (const [name, method, path, body] of calls) {
    const statements = await host.statementsOf(async () => {
      const { status, text } = await host.call(method, path, body)
      t.ok(status < 300, `${method} ${path}: ${status} ${text.slice(0, 200)}`)
    })
    t.not(statements.length, 0, name)
    t.matchSnapshot(
      statements
        .map(({ sql }) => sql)
        .sort()
        .join('\n'),
      name,
    )
  }
}

const onEach = (name: string, run: (t: Test, host: WatchedHost, engine: Engine) => Promise<unknown>) =>
  t.test(name, (t) =>
    onEachDialect(t, async (t, engine) => {
      await run(t, await watched(t, { engine }), engine)
    }),
  )

onEach('design categories', (t, host) =>
  record(t, host, [
    ['create', 'POST', '/design-categories', { title: 'Animals' }],
    ['create a child', 'POST', '/design-categories', { title: 'Cats', parent_id: 1 }],
    ['find', 'GET', '/design-categories/1'],
    ['list', 'GET', '/design-categories'],
    ['list of children', 'GET', '/design-categories?parent_id=1'],
    ['list of ids', 'GET', '/design-categories?include=1,2'],
    ['search', 'GET', '/design-categories?search=M%C3%BCg%25'],
    ['update', 'PATCH', '/design-categories/1', { title: 'Beasts', options: { a: 1 } }],
    ['move', 'PATCH', '/design-categories/2', { parent_id: 0 }],
    ['remove', 'DELETE', '/design-categories/1'],
  ]),
)

onEach('pricing rules', (t, host) =>
  record(t, host, [
    ['create', 'POST', '/pricing-rules', { name: 'Rule', data: {} }],
    ['find', 'GET', '/pricing-rules/1'],
    ['list', 'GET', '/pricing-rules'],
    ['list of ids', 'GET', '/pricing-rules?include=1,2'],
    ['search', 'GET', '/pricing-rules?search=M%C3%BCg%25'],
    ['update', 'PATCH', '/pricing-rules/1', { name: 'New' }],
    ['remove', 'DELETE', '/pricing-rules/1'],
  ]),
)

onEach('print profiles', (t, host) =>
  record(t, host, [
    ['create', 'POST', '/print-profiles', { name: 'Profile', data: {} }],
    ['create the master', 'POST', '/print-profiles', { name: 'Master', data: {}, is_master: true }],
    ['find', 'GET', '/print-profiles/1'],
    ['find the master', 'GET', '/print-profiles/master?include_data=true'],
    ['list', 'GET', '/print-profiles'],
    ['list of ids with data', 'GET', '/print-profiles?include=1,2&include_data=true'],
    ['duplicate', 'POST', '/print-profiles/1/duplicate', { name: 'Copy' }],
    ['update', 'PATCH', '/print-profiles/1', { name: 'New' }],
    ['update of the master', 'PATCH', '/print-profiles/1', { is_master: true }],
    ['remove', 'DELETE', '/print-profiles/2'],
  ]),
)

onEach('user interfaces', (t, host) =>
  record(t, host, [
    ['first list', 'GET', '/user-interfaces'],
    ['create', 'POST', '/user-interfaces', { name: 'Layout' }],
    ['find', 'GET', '/user-interfaces/1'],
    ['find the default', 'GET', '/user-interfaces/default?include_data=true'],
    ['list of ids', 'GET', '/user-interfaces?include=1,2'],
    ['update', 'PATCH', '/user-interfaces/2', { name: 'New' }],
    ['update of the default', 'PATCH', '/user-interfaces/2', { is_default: true }],
    ['remove', 'DELETE', '/user-interfaces/1'],
  ]),
)

onEach('shortcode orders', (t, host) =>
  record(t, host, [
    ['create', 'POST', '/shortcode-orders', { customer_name: 'Ada', views: [{ elements: [] }] }],
    ['find', 'GET', '/shortcode-orders/1'],
    ['list', 'GET', '/shortcode-orders'],
    ['list of ids with views', 'GET', '/shortcode-orders?include=1,2&include_views=true'],
    ['update', 'PATCH', '/shortcode-orders/1', { customer_name: 'Lady Ada' }],
    ['read as an order', 'GET', '/orders/1?type=shortcode'],
    ['list as orders', 'GET', '/orders?type=shortcode&search=ada'],
    ['write as an order', 'PATCH', '/orders/1', { type: 'shortcode', order: { product: [] } }],
    ['remove as an order', 'DELETE', '/orders/1?type=shortcode'],
  ]),
)

for (const shop of ['posts', 'tables'] satisfies Shop[]) {
  onEach(`orders of a shop that keeps them in ${shop}`, async (t, host) => {
    await createShop(host)
    await useShop(host, shop)
    const { id, items } = await shopOrder(host, shop, {
      items: [{ name: 'Mug', meta: [['_svc_data', '{"product":[]}']] }],
    })
    await record(t, host, [
      ['list', 'GET', '/orders?type=wc'],
      ['search', 'GET', '/orders?type=wc&search=ada'],
      ['list of ids', 'GET', `/orders?type=wc&include=${id}`],
      ['find', 'GET', `/orders/${id}?type=wc`],
      ['find an item', 'GET', `/orders/${id}?type=wc&item_id=${items[0]}`],
      ['write', 'PATCH', `/orders/${id}`, { type: 'wc', item_id: items[0], order: { product: [1] } }],
    ])
  })
}

onEach('orders of forms', async (t, host) => {
  await createShop(host)
  const date_created = '2026-01-01 00:00:00'
  const form = await row(host, 'gf_form', { title: 'Order', date_created })
  const fields = [{ id: 7, type: 'text', cssClass: 'svc-order' }]
  await row(host, 'gf_form_meta', { form_id: form, display_meta: JSON.stringify({ fields }) })
  const entry = await row(host, 'gf_entry', { form_id: form, date_created })
  const cell = { form_id: form, entry_id: entry, meta_key: '7', meta_value: '{"product":[]}' }
  await row(host, 'gf_entry_meta', cell)
  await record(t, host, [
    ['list', 'GET', '/orders?type=gf'],
    ['search', 'GET', '/orders?type=gf&search=ada'],
    ['find', 'GET', `/orders/${entry}?type=gf`],
    ['write', 'PATCH', `/orders/${entry}`, { type: 'gf', order: { product: [1] } }],
  ])
})
