// Type and item of an order in the query of a write, and the message for a type that the installation does not have.
import t from 'tap'
import { build, onEachEngine } from '../../support/hosts/build.ts'

t.test('PATCH, PUT and POST /orders/{id}: type is taken from the query if the body has none', async (t) => {
  const { call } = await build(t, { engine: 'SQLite', renderer: true })
  const views = [{ title: 'Front', options: { stageWidth: 100, stageHeight: 100 }, elements: [] }]
  const { id } = (await call('POST', '/shortcode-orders', { views })).body.data
  const query = '?type=shortcode'
  for (const method of ['PATCH', 'PUT'] as const) {
    const written = await call(method, `/orders/${id}${query}`, { order: { product: views } })
    t.match(written, { status: 200, body: { data: { order_id: id, type: 'shortcode' } } }, method)
  }
  const states = await call('PATCH', `/orders/${id}/print-states${query}`, { state: 'printed' })
  t.match(states.body.data, { type: 'shortcode', items: [{ state: 'printed' }] })
  const exported = await call('POST', `/orders/${id}/export${query}`, {})
  t.match(exported.body.data, { order_id: id, order_type: 'shortcode' })
})

t.test('POST /orders/{id}/export: 400 that names type or item_id if query and body differ', async (t) => {
  const { call } = await build(t, { engine: 'SQLite' })
  const named = async (path: string, body: object) => (await call('POST', path, body)).body.data.params
  const problem = { type: /differs in query and body/ }
  t.match(await named('/orders/4/export?type=shortcode', { type: 'wc' }), problem)
  t.match(await named('/orders/4/export?item_id=5', { item_id: 6 }), { item_id: /differs/ })
  t.match(await named('/orders/4/export?item_id=x', {}), { item_id: /must be an integer/ })
})

t.test('GET, PATCH and POST /orders: 400 that names the types that this installation has', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { call } = await build(t, { engine })
    const responses = [
      await call('GET', '/orders'),
      await call('GET', '/orders/1'),
      await call('PATCH', '/orders/1', { order: {} }),
      await call('POST', '/orders/1/export', { item_id: 1 }),
    ]
    const message =
      'This installation has no orders of type wc, because the tables of WooCommerce do not exist; send the type shortcode.'
    for (const { status, body } of responses)
      t.match([status, body], [400, { code: 'svc_order_type_unavailable', message }])
  }),
)
